import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export type WriteFileAtomicOptions = {
  /** Permission bits of the file; 0o600 by default, because most of what we persist is nobody else's business. */
  readonly mode?: number;
};

/**
 * Replaces a file so that after a crash at any moment it holds either the old or the new bytes, whole:
 * `<path>.part`, fsync, rename, fsync of the directory.
 */
export async function writeFileAtomic(
  path: string,
  data: Uint8Array | string,
  options: WriteFileAtomicOptions = {},
): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true }); // left by a crash, perhaps with other permission bits
  const file = await open(part, 'wx', options.mode ?? 0o600);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  await syncDirectory(dirname(path));
}

/** Removes a file durably. A file that is already gone is fine. */
export async function removeFileDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** open(2): a directory entry survives a power cut only after an fsync of its directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
