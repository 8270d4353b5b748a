import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { requireFile } from '@nodecore/machine';

import { RigError } from './errors.ts';
import { cacheDirectory } from './paths.ts';
import type { DebianRelease } from './rig-spec.ts';

/** A guest kernel that scripts/setup unpacked. */
export type Kernel = {
  /** As `uname -r` prints it. */
  readonly version: string;
  /** Unpacked by the guest itself: QEMU's own way past that (PVH) puts the first filesystem over the ACPI tables. */
  readonly image: string;
  /** The directory that holds `modules.dep`. */
  readonly modulesDirectory: string;
};

/** The kernel of that release, or the one of this computer's own. */
export function findKernel(machine: string, release?: DebianRelease): Kernel {
  const own = join(cacheDirectory, 'kernels');
  const directory = release === undefined || release === ownRelease() ? own : join(own, release);
  const chosen = newest(directory);
  if (chosen === undefined) {
    const what =
      release === undefined
        ? 'guest kernel: run scripts/setup'
        : `kernel of ${release}: run scripts/setup --kernels`;
    throw new RigError('ERR_RIG_NOT_SET_UP', machine, `no ${what}`);
  }
  const modulesDirectory = join(directory, chosen, 'lib', 'modules', chosen);
  requireFile(machine, join(modulesDirectory, 'modules.dep'));
  return {
    version: chosen,
    image: requireFile(machine, join(directory, chosen, 'vmlinuz')),
    modulesDirectory,
  };
}

/** The release of this computer, as os-release(5) names it; undefined where that names none. */
export function ownRelease(): string | undefined {
  return /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
}

function newest(directory: string): string | undefined {
  const order = new Intl.Collator('en', { numeric: true });
  try {
    return readdirSync(directory)
      .filter((name) => /^\d+\.\d+\.\d+.*$/.test(name) && !name.endsWith('.part'))
      .sort(order.compare)
      .at(-1);
  } catch {
    return undefined; // no directory: nothing was set up
  }
}

/**
 * Files of the named modules and of everything they need, in the order in which they can be inserted.
 * What the kernel has built in yields nothing; what it does not know is a mistake in the machine's value.
 */
export function moduleFiles(machine: string, kernel: Kernel, names: readonly string[]): string[] {
  const needs = new Map<string, { readonly file: string; readonly requires: readonly string[] }>();
  for (const line of readFileSync(join(kernel.modulesDirectory, 'modules.dep'), 'utf8').split('\n')) {
    const [file, requires] = line.split(':');
    if (file === undefined || requires === undefined) continue;
    needs.set(moduleName(file), { file, requires: requires.trim().split(' ').filter(Boolean) });
  }
  const builtIn = readFileSync(join(kernel.modulesDirectory, 'modules.builtin'), 'utf8')
    .split('\n')
    .map(moduleName);
  const files: string[] = [];
  for (const name of names.map(moduleName)) {
    const module = needs.get(name);
    if (module === undefined && builtIn.includes(name)) continue;
    if (module === undefined) {
      throw new RigError('ERR_RIG_SPEC', machine, `kernel ${kernel.version} has no module ${name}`);
    }
    // modules.dep(5): dependencies stand in the order in which they are removed.
    for (const file of [...module.requires.toReversed(), module.file]) {
      const path = join(kernel.modulesDirectory, file);
      if (!files.includes(path)) files.push(path);
    }
  }
  return files;
}

/** `kernel/fs/9p/9p.ko.xz` is `9p`; the kernel takes `-` and `_` for the same. */
function moduleName(file: string): string {
  return basename(file)
    .replace(/\.ko(\.(xz|zst|gz))?$/, '')
    .replaceAll('-', '_');
}
