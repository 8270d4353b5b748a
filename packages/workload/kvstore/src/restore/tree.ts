import { lchown, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether there is something of that name. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Puts a file or a directory's list of names on the disk. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Gives a directory and everything below it to an owner, and puts all of it on the disk. */
export async function settle(
  path: string,
  owner: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) {
      await settle(below, owner);
    } else if (entry.isFile()) {
      await lchown(below, owner.uid, owner.gid);
      await sync(below);
    }
  }
  await lchown(path, owner.uid, owner.gid);
  await sync(path);
}
