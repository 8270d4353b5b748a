import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';

import { dataFiles, loadedLibraries, programs, unpackedPrograms } from './contents.ts';
import { BuildError } from './errors.ts';
import { grubInputs } from './grub.ts';
import type { Kernel } from './modules.ts';
import { cacheDirectory, checkout } from './paths.ts';

const sourceDirectories = [
  'packages',
  'native/init',
  'native/keeper',
  'native/src',
  'native/build/Release/nodecore.node',
];
const leftOut: ReadonlySet<string> = new Set(['node_modules', 'dist', 'test']);
const sourceFiles = ['pnpm-lock.yaml'];

/**
 * One text for everything that a release is made of, by name, size and time of the last change: the same text means that there is
 * nothing to build. What is written into a release does not depend on it.
 */
export async function fingerprint(
  kernel: Kernel,
  words: readonly string[],
  extensions?: string,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(words));
  const note = async (path: string): Promise<void> => {
    const facts = await lstat(path, { bigint: true }).catch(() => undefined);
    if (facts === undefined)
      throw new BuildError('ERR_BUILD_MISSING', `${path} is not on this machine: run scripts/setup`);
    const { size, mtimeNs } = facts;
    hash.update(`${path}\0${size}\0${mtimeNs}\n`);
  };
  const sources = [];
  if (extensions !== undefined) sources.push(...(await filesBelow(extensions)));
  for (const directory of sourceDirectories) sources.push(...(await filesBelow(join(checkout, directory))));
  const unpacked = [
    ...unpackedPrograms,
    'systemd-boot/stub.efi',
    'systemd-boot/systemd-boot.efi',
    ...grubInputs,
  ];
  const libraries = loadedLibraries.map((soname) => join('/usr/lib/x86_64-linux-gnu', soname));
  const others = [
    ...sourceFiles.map((file) => join(checkout, file)),
    ...unpacked.map((file) => join(cacheDirectory, file)),
    join(cacheDirectory, 'extension-packages/packages'),
    execPath,
    ...programs,
    ...dataFiles,
    ...libraries,
    '/var/lib/dpkg/status',
    kernel.image,
    join(kernel.modules, 'modules.dep'),
  ];
  for (const path of [...sources.sort(), ...others]) await note(path);
  return hash.digest('hex');
}

async function filesBelow(directory: string): Promise<string[]> {
  if (!(await lstat(directory)).isDirectory()) return [directory];
  const files: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !leftOut.has(entry.name)) files.push(...(await filesBelow(path)));
    if (entry.isFile()) files.push(path);
  }
  return files;
}
