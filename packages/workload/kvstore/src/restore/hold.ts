import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

import { codeOf, errnoName, flock, isSameFile, LOCK_EX, LOCK_NB } from '@nodecore/sys';

import { isKvstoreError, KvstoreError, type KvstoreErrorCode } from '../errors.ts';
import { lockHolder } from './in-use.ts';

/**
 * Works on a data directory while no other restore does: flock(2) on the directory itself, which leaves nothing behind and
 * ends with the process. etcd takes no such lock: {@link lockHolder} of its database shows whether it runs.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_LOCKED` when another restore works on it; and for whatever the system refuses.
 */
export async function holding<T>(
  dataDirectory: string,
  task: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return await typed(
    dataDirectory,
    async () => {
      await using directory = await open(dataDirectory, constants.O_RDONLY | constants.O_DIRECTORY);
      await lock(directory, dataDirectory);
      const held = await directory.stat();
      if (!isSameFile(held, await stat(dataDirectory))) throw replaced(dataDirectory);
      return await task();
    },
    signal,
  );
}

/** Runs a task on a directory whose failures are all of one kind; what a signal ended keeps its reason. */
export async function typed<T>(subject: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await task();
  } catch (error) {
    signal?.throwIfAborted();
    const code = codeOf(error);
    if (isKvstoreError(error) || code === undefined) throw error;
    const path = error instanceof Error && 'path' in error ? ` on ${String(error.path)}` : '';
    throw new KvstoreError(codes[code] ?? 'ERR_KVSTORE_FILE', subject, `can't be used (${code}${path})`, {
      cause: error,
    });
  }
}

const codes: Readonly<Record<string, KvstoreErrorCode>> = {
  ENOENT: 'ERR_KVSTORE_NOT_FOUND',
  EEXIST: 'ERR_KVSTORE_FILE_EXISTS',
  ENOSPC: 'ERR_KVSTORE_DISK_FULL',
  EDQUOT: 'ERR_KVSTORE_DISK_FULL',
};

async function lock(directory: FileHandle, dataDirectory: string): Promise<void> {
  const { result, errno } = await flock(directory.fd, LOCK_EX | LOCK_NB);
  if (result === 0) return;
  const name = errnoName(errno);
  if (name !== 'EAGAIN')
    throw new KvstoreError('ERR_KVSTORE_FILE', dataDirectory, `can't be locked (flock: ${name})`);
  const holder = await lockHolder(dataDirectory);
  const who = holder === undefined || holder <= 0 ? 'somebody else' : `the process ${holder}`;
  throw new KvstoreError('ERR_KVSTORE_LOCKED', dataDirectory, `${who} restores there; wait for that to end`);
}

function replaced(dataDirectory: string): KvstoreError {
  return new KvstoreError(
    'ERR_KVSTORE_LOCKED',
    dataDirectory,
    'was put aside by somebody meanwhile; try again',
  );
}
