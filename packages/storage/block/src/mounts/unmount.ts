import { type FileHandle, open } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { BlockError } from '../errors.ts';
import { syncfs, UMOUNT_NOFOLLOW, umount2 } from './ffi-mount.ts';
import { mountError } from './filesystem-context.ts';
import { mountUsers } from './users.ts';

export type UnmountOptions = {
  /** How long write-back and unmount may take, in milliseconds; 90 000 unless given. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/**
 * Writes back what is dirty and unmounts. Needs root.
 *
 * The calls can't be interrupted: after the deadline, or an abort, only the wait ends, and the unmount may still happen.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY` with who uses it in `reasons`, `ERR_BLOCK_NOT_FOUND` when nothing is mounted
 *   there, `ERR_BLOCK_UNRESPONSIVE` after the deadline.
 */
export async function unmount(target: string, options: UnmountOptions = {}): Promise<void> {
  const { timeoutMs = 90_000, signal } = options;
  signal?.throwIfAborted();
  using ended = new Ending();
  const limit = AbortSignal.any([ended.signal, ...(signal === undefined ? [] : [signal])]);
  const deadline = systemClock.sleep(timeoutMs, limit).then(() => {
    const message = `${target} was not unmounted within ${timeoutMs} ms`;
    throw new BlockError('ERR_BLOCK_UNRESPONSIVE', target, message);
  });
  const done = writeBack(target).then(() => detach(target));
  done.catch(() => {}); // its error is nobody's after the deadline
  await Promise.race([done, deadline]);
}

/** Aborts its signal when the scope ends, so that the timer does not outlive the work. */
class Ending {
  readonly #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#controller.abort();
  }
}

/**
 * umount2(2) would write back as well, but with the mount locked and nobody to tell about errors. A filesystem that the kernel
 * has shut down after an error takes nothing any more, however often it is asked: what it had not written was lost then, and
 * staying mounted would bring nothing back.
 */
async function writeBack(target: string): Promise<void> {
  const error = await sync(target);
  if (error === undefined) return;
  const isShutDown = error.errno === 'EIO' && (await sync(target))?.errno === 'EIO'; // one lost page is told once
  if (!isShutDown) throw error;
}

async function sync(target: string): Promise<BlockError | undefined> {
  let directory: FileHandle;
  try {
    directory = await open(target, 'r');
  } catch (cause) {
    const errno = codeOf(cause) ?? '';
    const message = `${target} can't be opened`;
    return new BlockError('ERR_BLOCK_NOT_FOUND', target, message, { cause, errno });
  }
  try {
    const { result, errno } = await syncfs(directory.fd);
    return result < 0 ? mountError('syncfs', target, errno, '') : undefined;
  } finally {
    await directory.close();
  }
}

async function detach(target: string): Promise<void> {
  const { result, errno } = await umount2(target, UMOUNT_NOFOLLOW);
  if (result === 0) return;
  const error = mountError('umount2', target, errno, '');
  if (error.errno === 'EINVAL') {
    const message = `nothing is mounted on ${target}`;
    throw new BlockError('ERR_BLOCK_NOT_FOUND', target, message, { errno: error.errno });
  }
  if (error.code !== 'ERR_BLOCK_BUSY') throw error;
  const reasons = await mountUsers(target);
  const message = `${target} is in use: ${reasons.join('; ') || 'by whom the kernel does not say'}`;
  throw new BlockError('ERR_BLOCK_BUSY', target, message, { errno: 'EBUSY', reasons });
}
