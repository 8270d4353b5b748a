import { lstat, readdir } from 'node:fs/promises';

import { unlessGone } from '@nodecore/sys';

const slash = Buffer.from('/');

/**
 * What a mount on a directory would hide: the path of the first thing below it that is not a directory. Undefined when there
 * is no such directory, or nothing but directories and mount points in it, which hold nothing of the filesystem itself.
 */
export async function hiddenData(directory: string): Promise<string | undefined> {
  const path = Buffer.from(directory);
  const filesystem = await filesystemOf(path);
  const found = filesystem === undefined ? undefined : await firstBelow(path, filesystem);
  return found?.toString();
}

/** @param directory in bytes: names need not be UTF-8. */
async function firstBelow(directory: Buffer, filesystem: number): Promise<Buffer | undefined> {
  // A program that works in the directory may remove entries meanwhile; the rest of it counts all the same.
  const entries = await unlessGone(readdir(directory, { withFileTypes: true, encoding: 'buffer' }));
  for (const entry of entries ?? []) {
    const path = Buffer.concat([directory, slash, entry.name]);
    if (!entry.isDirectory()) return path;
    if ((await filesystemOf(path)) !== filesystem) continue; // something is mounted on it
    const found = await firstBelow(path, filesystem);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function filesystemOf(path: Buffer): Promise<number | undefined> {
  return (await unlessGone(lstat(path)))?.dev;
}
