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
  const file = await open(path, 'a', 0o600);
  const { result, errno } = await flock(file.fd, LOCK_EX | LOCK_NB);
  if (result === 0) {
    await file.truncate(0);
    await file.write(String(process.pid));
    return released(file);
  }
  await file.close();
  if (errnoName(errno) !== 'EAGAIN')
    throw new ClusterError('ERR_CLUSTER_STATE', `${path} can't be locked: ${errnoName(errno)}`);
  const pid = (await readFile(path, 'utf8')).trim();
  throw new ClusterError('ERR_CLUSTER_EXISTS', `cluster ${directory.name} is being made by process ${pid}`);
}

/** The right to start the keeper of a cluster, or to end it for good. Others wait: it takes a moment. */
export async function lockKeeping(directory: ClusterDirectory): Promise<ClusterLock> {
  const path = join(directory.path, 'keeping.lock');
  const file = await open(path, 'a', 0o600);
  const { result, errno } = await flock(file.fd, LOCK_EX);
  if (result === 0) return released(file);
  await file.close();
  throw new ClusterError('ERR_CLUSTER_STATE', `${path} can't be locked: ${errnoName(errno)}`);
}

function released(file: FileHandle): ClusterLock {
  return { [Symbol.asyncDispose]: () => file.close() };
}
