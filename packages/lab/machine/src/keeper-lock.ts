import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

import { errnoName, flock, LOCK_EX, LOCK_NB } from '@nodecore/sys';

import { MachineError } from './errors.ts';

/** A kept machine has one keeper at a time: who holds this lock of a file in its directory. It ends with its process. */
export class KeeperLock {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @throws {MachineError} `ERR_MACHINE_BUSY` when another process has it. */
  static async take(machine: string, directory: string): Promise<KeeperLock> {
    const file = await open(join(directory, 'keeper.lock'), 'a', 0o600);
    const { result, errno } = await flock(file.fd, LOCK_EX | LOCK_NB);
    if (result === 0) return new KeeperLock(file);
    await file.close();
    if (errnoName(errno) === 'EAGAIN')
      throw new MachineError('ERR_MACHINE_BUSY', machine, 'another process keeps it');
    throw new MachineError('ERR_MACHINE_START', machine, `its lock can't be taken: ${errnoName(errno)}`);
  }

  async release(): Promise<void> {
    await this.#file.close();
  }
}
