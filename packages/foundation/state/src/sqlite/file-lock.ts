import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { flock, LOCK_EX, LOCK_NB } from '@nodecore/sys';

import { StateError } from '../state-error.ts';

/**
 * Takes a file for this process until the handle is closed or the process ends, however it ends. The lock is on a file
 * beside it, which stays: SQLite loses its own locks when a process closes any descriptor of the database.
 *
 * @throws {StateError} `ERR_STATE_LOCKED`.
 */
export async function lockFile(path: string): Promise<FileHandle> {
  const {
    O_RDWR,
    O_CREAT,
    O_NOFOLLOW,
    O_CLOEXEC = 0,
  } = constants as typeof constants & { O_CLOEXEC?: number };
  const file = await open(`${path}.lock`, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600);
  try {
    const { result, errno } = await flock(file.fd, LOCK_EX | LOCK_NB);
    if (result === 0) return file;
    throw new StateError('ERR_STATE_LOCKED', path, `another process has it (flock: errno ${errno})`);
  } catch (error) {
    await file.close();
    throw error;
  }
}
