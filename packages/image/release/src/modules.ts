import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { BuildError } from './errors.ts';
import { cacheDirectory } from './paths.ts';

/** A kernel of Debian that `scripts/setup` unpacked. */
export type Kernel = {
  /** As `uname -r` says it. */
  readonly version: string;
  readonly image: string;
  /** `lib/modules/VERSION`, with what depmod wrote. */
  readonly modules: string;
};

/** The newest kernel in `.cache/kernels`. @throws {BuildError} `ERR_BUILD_MISSING` */
export async function releaseKernel(): Promise<Kernel> {
  const directory = join(cacheDirectory, 'kernels');
  const order = new Intl.Collator('en', { numeric: true });
  const names = await readdir(directory).catch(() => []);
  const version = names
    .filter((name) => /^\d+\.\d+\.\d+/.test(name) && !name.endsWith('.part'))
    .sort(order.compare)
    .at(-1);
  if (version === undefined) throw new BuildError('ERR_BUILD_MISSING', 'no kernel: run scripts/setup');
  const place = join(directory, version);
  return { version, image: join(place, 'vmlinuz'), modules: join(place, 'lib', 'modules', version) };
}

/**
 * Files of these modules and of all that they need, each behind what it needs, relative to the kernel's directory of modules.
 * What the kernel has built in has no file.
 *
 * @throws {BuildError} `ERR_BUILD_MISSING` for a module that the kernel does not know.
 */
export async function moduleFiles(kernel: Kernel, names: readonly string[]): Promise<string[]> {
  const needs = new Map<string, { readonly file: string; readonly requires: readonly string[] }>();
  for (const line of (await readFile(join(kernel.modules, 'modules.dep'), 'utf8')).split('\n')) {
    const [file, requires] = line.split(':');
    if (file === undefined || requires === undefined) continue;
    needs.set(moduleName(file), { file, requires: requires.trim().split(' ').filter(Boolean) });
  }
  const builtIn = await readFile(join(kernel.modules, 'modules.builtin'), 'utf8');
  const within = new Set(builtIn.split('\n').map(moduleName));
  const files = new Set<string>();
  for (const name of names.map(moduleName)) {
    const module = needs.get(name);
    if (module === undefined && within.has(name)) continue;
    if (module === undefined)
      throw new BuildError('ERR_BUILD_MISSING', `kernel ${kernel.version} has no module ${name}`);
    // modules.dep(5): dependencies stand in the order in which they are removed.
    for (const file of [...module.requires.toReversed(), module.file]) files.add(file);
  }
  return [...files];
}

/** `kernel/fs/xfs/xfs.ko.xz` is `xfs`; the kernel takes `-` and `_` for the same. */
export function moduleName(file: string): string {
  return basename(file)
    .replace(/\.ko(\.(xz|zst|gz))?$/, '')
    .replaceAll('-', '_');
}
