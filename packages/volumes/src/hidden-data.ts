import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

/**
 * What a mount on a directory would hide: the path of the first thing below it that is not a directory. Undefined when there
 * is no such directory, or nothing but directories and mount points in it, which hold nothing of the filesystem itself.
 */
export async function hiddenData(directory: string): Promise<string | undefined> {
  try {
    const { dev } = await lstat(directory);
    return await firstBelow(directory, dev);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function firstBelow(directory: string, filesystem: number): Promise<string | undefined> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (!entry.isDirectory()) return path;
    if ((await lstat(path)).dev !== filesystem) continue; // something is mounted on it
    const found = await firstBelow(path, filesystem);
    if (found !== undefined) return found;
  }
  return undefined;
}
