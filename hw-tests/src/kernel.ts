import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { RigError } from './errors.ts';
import { cacheDirectory, requireFile } from './paths.ts';

/** A guest kernel that scripts/setup unpacked. */
export type Kernel = {
  /** As `uname -r` prints it. */
  readonly version: string;
  /** Unpacked by the guest itself: QEMU's own way past that (PVH) puts the first filesystem over the ACPI tables. */
  readonly image: string;
  /** The directory that holds `modules.dep`. */
  readonly modulesDirectory: string;
};

/** The kernel of that version, or the newest one there is. */
export function findKernel(machine: string, version?: string): Kernel {
  const directory = join(cacheDirectory, 'kernels');
  const chosen = version ?? newest(directory);
  if (chosen === undefined) {
    throw new RigError('ERR_RIG_NOT_SET_UP', machine, 'no guest kernel: run scripts/setup');
  }
  const modulesDirectory = join(directory, chosen, 'lib', 'modules', chosen);
  requireFile(machine, join(modulesDirectory, 'modules.dep'));
  return {
    version: chosen,
    image: requireFile(machine, join(directory, chosen, 'vmlinuz')),
    modulesDirectory,
  };
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
