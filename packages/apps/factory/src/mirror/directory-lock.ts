import { type FileHandle, stat } from 'node:fs/promises';

import { errnoName, flock, isSameFile, LOCK_EX, LOCK_NB } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';

/**
 * Keeps others who write a release from a directory until its descriptor is closed.
 *
 * @throws {FactoryError} with `ERR_FACTORY_MIRROR_BUSY` when somebody else does so, or has just put another directory in its place.
 */
export async function locked(directory: FileHandle, path: string): Promise<void> {
  const { result, errno } = await flock(directory.fd, LOCK_EX | LOCK_NB);
  if (result !== 0 && errnoName(errno) !== 'EAGAIN')
    throw new FactoryError('ERR_FACTORY_STORE', `${path} can't be locked: ${errnoName(errno)}`);
  const there = await stat(path).catch(() => undefined);
  if (result !== 0 || there === undefined || !isSameFile(there, await directory.stat()))
    throw new FactoryError('ERR_FACTORY_MIRROR_BUSY', `${path}: another process writes there`);
}
