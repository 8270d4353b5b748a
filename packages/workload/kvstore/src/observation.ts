import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

/** etcd makes the copy beside its file and renames it at the end. */
const copyName = /^db\.tmp/;

/**
 * How much of a member's copy is written, seen from the machine where it has its data: no other progress can be seen.
 * Undefined while no defragmentation runs.
 */
export async function writtenBytes(dataDirectory: string): Promise<bigint | undefined> {
  const directory = databaseDirectory(dataDirectory);
  try {
    const copies = (await readdir(directory)).filter((name) => copyName.test(name));
    const sizes = await Promise.all(
      copies.map(async (name) => BigInt((await stat(join(directory, name))).size)),
    );
    return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0n);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined; // renamed meanwhile, or no such member
    throw error;
  }
}

/** Free space where a member has its data, for users other than root; undefined where there is no member. */
export async function freeDiskBytes(dataDirectory: string): Promise<bigint | undefined> {
  try {
    const { bavail, bsize } = await statfs(databaseDirectory(dataDirectory), { bigint: true });
    return bavail * bsize;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function databaseDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'member', 'snap');
}
