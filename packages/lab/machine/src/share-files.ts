import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const socketName = /^share-[\da-f]{8}\.sock$/;

/** Removes the socket of a virtiofsd that has ended, and its lock, which is named after it. */
export async function removeShare(directory: string, socket: string): Promise<void> {
  await rm(join(directory, socket), { force: true });
  await rm(`/run/virtiofsd/${socket}.pid`, { force: true });
}

/** Removes what those of a machine have left whose keeper was killed. None of them may run. */
export async function removeShares(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => []))
    if (socketName.test(name)) await removeShare(directory, name);
}
