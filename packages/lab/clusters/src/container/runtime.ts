import { accessSync, constants, existsSync } from 'node:fs';
import { basename, join } from 'node:path';

/** How cgroups are mounted on a computer: `hybrid` has controllers of version 1 beside those of 2. */
export type CgroupLayout = 'v1' | 'hybrid' | 'v2';

/** OCI runtimes that nodes run by. */
export const runtimeNames = ['runc', 'crun'] as const;

export type RuntimeName = (typeof runtimeNames)[number];

const places = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];
const unified = '/sys/fs/cgroup/unified';

/** How cgroups are mounted here. @param root of the mounts; another one in tests */
export function cgroupLayout(root = '/sys/fs/cgroup'): CgroupLayout {
  if (existsSync(join(root, 'cgroup.controllers'))) return 'v2';
  return existsSync(join(root, 'unified', 'cgroup.controllers')) ? 'hybrid' : 'v1';
}

/**
 * The OCI runtime to take, by its path: crun where cgroups are of version 2 alone, since it starts in a fourth of the time; else runc;
 * and the other one where that is not installed. Undefined where none is.
 *
 * @param only this one and no other.
 */
export function chooseRuntime(
  only?: RuntimeName,
  layout: CgroupLayout = cgroupLayout(),
  isThere: (path: string) => boolean = canRun,
): string | undefined {
  const usual: readonly RuntimeName[] = layout === 'v2' ? ['crun', 'runc'] : ['runc', 'crun'];
  const names = only === undefined ? usual : [only];
  return names.flatMap((name) => places.map((place) => join(place, name))).find(isThere);
}

/**
 * The program and first arguments that start a runtime. crun refuses to start where both versions of cgroups are mounted: there it gets
 * mounts of its own without version 2, which has no controllers then. It makes directories in its place all the same: in one that goes
 * with those mounts.
 */
export function runtimeCommand(
  runtime: string,
  layout: CgroupLayout = cgroupLayout(),
): readonly [string, ...string[]] {
  if (layout !== 'hybrid' || basename(runtime) !== 'crun') return [runtime];
  return [
    'unshare',
    '--mount',
    '--',
    'sh',
    '-c',
    `mount -t tmpfs none ${unified} && exec "$@"`,
    'sh',
    runtime,
  ];
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
