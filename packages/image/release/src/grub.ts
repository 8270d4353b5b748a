import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheDirectory } from './paths.ts';
import { run } from './run.ts';

/** What the core image can do: find a file system on a disk or a CD, and start what a menu there says. */
export const grubModules: readonly string[] = [
  'biosdisk',
  'part_gpt',
  'fat',
  'search_label',
  'normal',
  'configfile',
  'test',
  'echo',
  'loadenv',
  'loopback',
  'linux',
  'probe',
  'sleep',
  'reboot',
];

/**
 * The first commands. On the disk that the BIOS has started is a partition BOOT: one on another disk is looked at only
 * when there is none.
 */
export const grubBegin = 'search.fs_label BOOT root ${root},\nset prefix=($root)/grub\nnormal\n';

/** What `scripts/setup` unpacked and the images of GRUB are made of, below `.cache`. */
export const grubInputs: readonly string[] = [
  'grub/grub-mkimage',
  'grub/i386-pc/kernel.img',
  'grub/i386-pc/boot.img',
];

/**
 * Makes the core image of GRUB for a CD, with that for a disk inside, and copies its boot sector. The same packages give
 * the same bytes.
 *
 * @param place gets `grub-core.img` and `grub-boot.img`.
 * @throws {BuildError} `ERR_BUILD_PROGRAM`.
 */
export async function makeGrub(place: string): Promise<void> {
  const directory = join(cacheDirectory, 'grub');
  const modules = join(directory, 'i386-pc');
  const begin = join(place, 'grub-begin.cfg');
  await writeFile(begin, grubBegin);
  const output = join(place, 'grub-core.img');
  const argv = ['-d', modules, '-O', 'i386-pc-eltorito', '-o', output, '-p', '/grub', '-c', begin];
  await run(join(directory, 'grub-mkimage'), [...argv, ...grubModules]);
  await rm(begin);
  await copyFile(join(modules, 'boot.img'), join(place, 'grub-boot.img'));
}
