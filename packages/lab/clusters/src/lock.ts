import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { errnoName, flock, LOCK_EX, LOCK_NB } from '@nodecore/sys';

import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';

/** A lock of a cluster's directory, which ends with its process. */
export type ClusterLock = AsyncDisposable;

/**
 * The right to make a cluster, one process at a time; the file says whose it is.
 *
 * @throws {ClusterError} `ERR_CLUSTER_EXISTS` with the process that makes it.
 */
export async function lockMaking(directory: ClusterDirectory): Promise<ClusterLock> {
  const path = join(directory.path, 'making.lock');
  return await opened(path, async (file) => {
    const { result, errno } = await flock(file.fd, LOCK_EX | LOCK_NB);
    if (result !== 0) {
      if (errnoName(errno) !== 'EAGAIN') throw notLocked(path, errno);
      const pid = (await readFile(path, 'utf8')).trim();
      throw new ClusterError(
        'ERR_CLUSTER_EXISTS',
        `cluster ${directory.name} is being made by process ${pid}`,
      );
    }
    await file.truncate(0);
    await file.write(String(process.pid));
  });
}

/** The right to start the keeper of a cluster, or to end it for good. Others wait: it takes a moment. */
export async function lockKeeping(directory: ClusterDirectory): Promise<ClusterLock> {
  return await lockAfterOthers(join(directory.path, 'keeping.lock'));
}

/** The right to change the state of a cluster. @param directory its path. */
export async function lockState(directory: string): Promise<ClusterLock> {
  return await lockAfterOthers(join(directory, 'state.lock'));
}

/** The right to bring up to date what the machines of a cluster start from. */
export async function lockSyncing(directory: ClusterDirectory): Promise<ClusterLock> {
  return await lockAfterOthers(join(directory.path, 'syncing.lock'));
}

/** The right to change what the machines of a cluster start from, or to start one from it: a kernel goes with its first filesystem. */
export async function lockBoot(directory: ClusterDirectory): Promise<ClusterLock> {
  return await lockAfterOthers(join(directory.path, 'boot.lock'));
}

/** Resolves when the last of this process that asked for a lock, by its path, has let it go. */
const ends = new Map<string, Promise<void>>();

/** One of this process waits at a time: each takes a thread, and who has the lock needs one to go on. */
async function lockAfterOthers(path: string): Promise<ClusterLock> {
  const before = ends.get(path);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  ends.set(path, end);
  const letGo = (): void => {
    if (ends.get(path) === end) ends.delete(path);
    resolve();
  };
  try {
    await before;
    const lock = await lockFile(path);
    return {
      [Symbol.asyncDispose]: async () => {
        try {
          await lock[Symbol.asyncDispose]();
        } finally {
          letGo();
        }
      },
    };
  } catch (error) {
    letGo();
    throw error;
  }
}

async function lockFile(path: string): Promise<ClusterLock> {
  return await opened(path, async (file) => {
    const { result, errno } = await flock(file.fd, LOCK_EX);
    if (result !== 0) throw notLocked(path, errno);
  });
}

/** A file that is the lock as long as it is open. @param lock takes it; when that fails the file is closed. */
async function opened(path: string, lock: (file: FileHandle) => Promise<void>): Promise<ClusterLock> {
  const file = await open(path, 'a', 0o600);
  try {
    await lock(file);
    return { [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function notLocked(path: string, errno: number): ClusterError {
  return new ClusterError('ERR_CLUSTER_STATE', `${path} can't be locked: ${errnoName(errno)}`);
}
