import { close, constants, open } from 'node:fs';
import { promisify } from 'node:util';

import { flock, LOCK_EX, LOCK_NB } from '@nodecore/sys';

import { StateError } from '../state-error.ts';

/** A file that is this process's own. */
export type FileLock = { readonly close: () => Promise<void> };

/**
 * Takes a file for this process until the lock is closed or the process ends, however it ends. The lock is on a file
 * beside it, which stays: SQLite loses its own locks when a process closes any descriptor of the database. It is
 * a bare descriptor: a `FileHandle` that nothing refers to any more is closed by the collector, and the lock with it.
 *
 * @throws {StateError} `ERR_STATE_LOCKED`.
 */
export async function lockFile(path: string): Promise<FileLock> {
  const {
    O_RDWR,
    O_CREAT,
    O_NOFOLLOW,
    O_CLOEXEC = 0,
  } = constants as typeof constants & { O_CLOEXEC?: number };
  const fd = await promisify(open)(`${path}.lock`, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600);
  const closeFile = async (): Promise<void> => await promisify(close)(fd);
  try {
    const { result, errno } = await flock(fd, LOCK_EX | LOCK_NB);
    if (result === 0) return { close: closeFile };
    throw new StateError('ERR_STATE_LOCKED', path, `another process has it (flock: errno ${errno})`);
  } catch (error) {
    await closeFile();
    throw error;
  }
}
