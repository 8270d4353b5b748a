import { errnoName } from '@nodecore/sys';

import type { DeviceFile } from '../devices/device-file.ts';
import { withDiskLock } from '../devices/disk-lock.ts';
import { type MeantDisk, requireSequence } from '../devices/disk-sequence.ts';
import { BlockError } from '../errors.ts';
import * as c from './ffi-fallocate.ts';
import { openAlone } from '../devices/open-alone.ts';
import { eachRange, zeroRange } from './ranges.ts';
import { requireZeros } from './wipe.ts';

export type BlankMethod =
  | 'zeroes' // writes zeros, by the device's own command where it has one
  | 'discard'; // discards, where the device guarantees that what it discarded reads as zeros

export type BlankOptions = MeantDisk & {
  readonly method: BlankMethod;
  /** What is before this byte was made blank earlier; 0 unless given. */
  readonly fromBytes?: bigint;
  readonly onProgress?: (doneBytes: bigint, totalBytes: bigint) => void;
  /** All before this byte is blank, also after a power cut. Waited for. */
  readonly onDurable?: (doneBytes: bigint) => Promise<void>;
  readonly signal?: AbortSignal;
};

/** A disk that writes 100 MB/s answers an abort within seconds. */
const rangeBytes = 256n << 20n;
/** A crash costs no more than this. */
const durableBytes = 4n << 30n;
const sampleBytes = 4096n;

/**
 * Makes every byte of a disk or partition read as zero. DESTROYS its content: the caller has proved that it is ours. Both
 * ends of each range are read back. An abort is heeded between two ranges. Needs root. Durable when it resolves.
 *
 * @throws {BlockError} `ERR_BLOCK_NO_ZEROES`: the device does not guarantee what `discard` asks for; `ERR_BLOCK_BUSY` with who
 *   uses it, `ERR_BLOCK_NOT_FOUND` when it is another disk; nothing was written then. `ERR_BLOCK_NOT_WIPED` for a device
 *   that does not do what it says.
 */
export async function blank(path: string, options: BlankOptions): Promise<void> {
  const { method, fromBytes = 0n, onProgress, onDurable, signal } = options;
  await using device = await withDiskLock(path, () => openMeant(path, options), options);
  const from = fromBytes - (fromBytes % rangeBytes);
  let durable = from;
  const sync = async (done: bigint): Promise<void> => {
    await device.sync();
    durable = done;
    await onDurable?.(done);
  };
  // Hours on a large disk, whose other partitions do not wait for it: the device is still open for us alone.
  await eachRange(device, { rangeBytes, from, signal }, async (offset, length) => {
    await (method === 'discard' ? deallocate(device, offset, length) : zeroRange(device, offset, length));
    await device.dropCache();
    const sample = length < sampleBytes ? length : sampleBytes;
    await requireZeros(device, offset, sample);
    await requireZeros(device, offset + length - sample, sample);
    const done = offset + length;
    onProgress?.(done, device.sizeBytes);
    if (done - durable >= durableBytes) await sync(done);
    return true;
  });
  await sync(device.sizeBytes);
}

async function openMeant(path: string, options: BlankOptions): Promise<DeviceFile> {
  const device = await openAlone(path);
  try {
    requireSequence(device, options);
    return device;
  } catch (error) {
    await device.close();
    throw error;
  }
}

/**
 * A hole in a block device reads as zeros: the kernel asks the device for zeros that it may deallocate, and refuses where it
 * would have to write them itself. What BLKDISCARD discards may read as anything.
 */
async function deallocate(device: DeviceFile, offset: bigint, length: bigint): Promise<void> {
  const mode = c.FALLOC_FL_PUNCH_HOLE | c.FALLOC_FL_KEEP_SIZE;
  const { result, errno } = await device.watched(() => c.fallocate(device.fd, mode, offset, length));
  if (result === 0) return;
  const { path } = device;
  const name = errnoName(errno);
  if (name === 'EOPNOTSUPP' || name === 'ENOTSUP')
    throw new BlockError(
      'ERR_BLOCK_NO_ZEROES',
      path,
      `${path}: the device does not guarantee that what is discarded reads as zeros`,
      { errno: name },
    );
  throw new BlockError('ERR_BLOCK_FAILED', path, `fallocate ${path} at byte ${offset}: ${name}`, {
    errno: name,
  });
}
