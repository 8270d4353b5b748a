import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, errnoName, flock, isSameFile, LOCK_EX, LOCK_NB } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { ClusterError } from './errors.ts';

const suffix = '.part';
const pollMs = 200;

/**
 * The file that becomes one of the cache when all of it is there, for one process at a time: the lock ends with it, however it ends.
 * Others wait, and find what it has made.
 *
 * @param path of the file in the cache
 * @param waits is called once, when another process has it
 */
export async function openPart(path: string, waits: () => void, signal: AbortSignal): Promise<FileHandle> {
  let isTold = false;
  for (;;) {
    const file = await tryPart(`${path}${suffix}`);
    if (file !== undefined) return file;
    if (!isTold) waits();
    isTold = true;
    await systemClock.sleep(pollMs, signal);
  }
}

/** Where its bytes are until then. */
export function partOf(path: string): string {
  return `${path}${suffix}`;
}

/** Removes what killed processes have left in a cache. */
export async function sweepParts(cache: string): Promise<void> {
  for (const name of (await readdir(cache)).filter((each) => each.endsWith(suffix))) {
    const path = join(cache, name);
    if (!(await stat(path).catch(() => undefined))?.isFile()) continue;
    await using file = await tryPart(path);
    if (file !== undefined) await rm(path, { force: true });
  }
}

/** Locked and empty; undefined: somebody else has it, or has just renamed it. */
async function tryPart(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  let isOurs = false;
  try {
    const { result, errno } = await flock(file.fd, LOCK_EX | LOCK_NB);
    if (result !== 0 && errnoName(errno) !== 'EAGAIN')
      throw new ClusterError('ERR_CLUSTER_IMAGE', `${path} can't be locked: ${errnoName(errno)}`);
    if (result !== 0) return undefined;
    const there = await stat(path, { bigint: true }).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    isOurs = there !== undefined && isSameFile(there, await file.stat({ bigint: true }));
    if (!isOurs) return undefined;
    await file.truncate(0);
    return file;
  } finally {
    if (!isOurs) await file.close();
  }
}
