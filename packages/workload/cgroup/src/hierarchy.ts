import { readFile } from 'node:fs/promises';

import { CgroupError } from './errors.ts';

/** Where cgroup v2 is on this machine. */
export type Hierarchy = {
  readonly directory: string;
  /** Controllers that cgroup v1 hierarchies have, and v2 therefore lacks; empty on a machine that is all v2. */
  readonly elsewhere: readonly string[];
};

export type FindHierarchyOptions = {
  /** The text of /proc/self/mountinfo; tests give their own. */
  readonly mountinfo?: string;
};

const usual = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/**
 * Finds the cgroup v2 hierarchy, on machines that are all v2 and on those that mix both.
 *
 * @throws {CgroupError} `ERR_CGROUP_VERSION` with what was found instead.
 */
export async function findHierarchy(options: FindHierarchyOptions = {}): Promise<Hierarchy> {
  const mountinfo = options.mountinfo ?? (await readFile('/proc/self/mountinfo', 'utf8'));
  const mounts = mountinfo.split('\n').flatMap((line) => parseMount(line) ?? []);
  const second = mounts.filter(({ type }) => type === 'cgroup2').map(({ directory }) => directory);
  const first = mounts.filter(({ type }) => type === 'cgroup');
  const directory = usual.find((path) => second.includes(path)) ?? second[0];
  if (directory === undefined) {
    const found = first.map(({ directory, controllers }) => `${controllers.join(',')} at ${directory}`);
    throw new CgroupError(
      'ERR_CGROUP_VERSION',
      '/sys/fs/cgroup',
      found.length === 0
        ? 'no cgroup filesystem is mounted'
        : `no cgroup v2 hierarchy is mounted, only cgroup v1: ${found.join('; ')}`,
    );
  }
  const elsewhere = first.flatMap(({ controllers }) =>
    controllers.filter((name) => !name.startsWith('name=')),
  );
  return { directory, elsewhere: [...new Set(elsewhere)] };
}

type Mount = { readonly directory: string; readonly type: string; readonly controllers: readonly string[] };

/** Options of a cgroup v1 mount that are no controllers. */
const plain = new Set(['rw', 'ro', 'xattr', 'noprefix', 'clone_children', 'none']);

/** A line of proc_pid_mountinfo(5). */
function parseMount(line: string): Mount | undefined {
  const [before = '', after] = line.split(' - ');
  if (after === undefined) return undefined;
  const [type = '', , options = ''] = after.split(' ');
  const directory = before.split(' ')[4] ?? '';
  return {
    directory: directory.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    ),
    type,
    controllers: options
      .split(',')
      .filter((option) => !plain.has(option) && !option.startsWith('release_agent=')),
  };
}
