import { realpath, stat } from 'node:fs/promises';

import { type Mount, mounts } from '@nodecore/block';

import { hiddenData } from './hidden-data.ts';

const inMemory = new Set(['tmpfs', 'ramfs', 'rootfs']);

/**
 * What a mount on a directory of the system's own root would hide for good: as {@link hiddenData}, but only where it outlives
 * the boot. What came with the image is there again after it, and what is in memory is gone then, mounted over or not.
 */
export async function hiddenLastingData(directory: string): Promise<string | undefined> {
  const path = await realpath(directory).catch(() => directory); // what is not there hides nothing
  return (await outlivesBoot(path, await mounts.list(), isDirectory)) ? hiddenData(directory) : undefined;
}

/**
 * Whether what is written to a directory is there after a boot, as far as its mount says. Not when nothing can be written to
 * it, when it is in memory, or when it is an overlay that writes to one of these. An overlay whose upper directory is not
 * visible any more was made before there was this root, by the initramfs: it is the image's own way to be written to.
 */
export async function outlivesBoot(
  directory: string,
  all: readonly Mount[],
  isDirectory: (path: string) => Promise<boolean>,
): Promise<boolean> {
  const mount = mountOf(directory, all);
  if (mount === undefined || inMemory.has(mount.type)) return false;
  if (mount.superOptions.includes('ro')) return false; // a single mount of it may be read-only, and others not
  if (mount.type !== 'overlay') return true;
  const upper = mount.superOptions
    .find((option) => option.startsWith('upperdir='))
    ?.slice('upperdir='.length);
  if (upper === undefined || !(await isDirectory(upper))) return false;
  const others = all.filter(({ id }) => id !== mount.id);
  return outlivesBoot(upper, others, isDirectory);
}

/** The mount that a path is on: the deepest, and of several on one directory the topmost, which comes last. */
function mountOf(path: string, all: readonly Mount[]): Mount | undefined {
  return all
    .filter(({ target }) => target === '/' || path === target || path.startsWith(`${target}/`))
    .reduce<Mount | undefined>(
      (best, one) => (best !== undefined && best.target.length > one.target.length ? best : one),
      undefined,
    );
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
