import { realpath } from 'node:fs/promises';

import { errnoName, flock, LOCK_EX, LOCK_NB } from '@nodecore/sys';
import { Backoff, Serial, systemClock } from '@nodecore/waiting';

import { DeviceFile } from './device-file.ts';
import { devPath } from '../facts/disk-facts.ts';
import { BlockError } from '../errors.ts';

export type DiskLockOptions = {
  readonly signal?: AbortSignal;
  /** How long another process may keep the lock, in milliseconds; 10 000 unless given. */
  readonly timeoutMs?: number;
};

/** One queue per disk: work of this process on one disk waits for each other without a deadline, a hung disk holds up only itself. */
const queues = new Map<string, Serial>();

/**
 * Runs a task while nobody else changes the disk that a device is on: flock(2) on the whole disk, by which udev and the
 * partitioning tools keep out of each other's way.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY` when another process keeps the lock.
 */
export async function withDiskLock<T>(
  path: string,
  task: () => Promise<T>,
  options: DiskLockOptions = {},
): Promise<T> {
  const disk = await diskOf(path);
  const queue = queues.get(disk) ?? new Serial();
  queues.set(disk, queue);
  return queue.run(async () => {
    await using file = await DeviceFile.open(disk); // closing it releases the lock
    await lock(file, options);
    return await task(); // awaited: the lock is released at the end of this block
  }, options.signal);
}

async function diskOf(path: string): Promise<string> {
  await using device = await DeviceFile.open(path);
  const { kernel, sysfs } = device;
  if (kernel === undefined) return realpath(path);
  return devPath(sysfs, `block/${kernel.diskId}`, kernel.diskId);
}

/** The kernel has no flock with a deadline, so it is asked again and again. */
async function lock(file: DeviceFile, { signal, timeoutMs = 10_000 }: DiskLockOptions): Promise<void> {
  const backoff = new Backoff({ firstMs: 5, largestMs: 250 });
  const deadline = systemClock.now() + timeoutMs;
  for (;;) {
    const { result, errno } = await flock(file.fd, LOCK_EX | LOCK_NB);
    if (result === 0) return;
    const name = errnoName(errno);
    const waiting = name === 'EAGAIN' || name === 'EINTR';
    if (!waiting || systemClock.now() >= deadline) {
      const code = name === 'EAGAIN' ? 'ERR_BLOCK_BUSY' : 'ERR_BLOCK_FAILED';
      throw new BlockError(code, file.path, `flock on ${file.path}: ${name}`, { errno: name });
    }
    await systemClock.sleep(backoff.next(), signal);
  }
}
