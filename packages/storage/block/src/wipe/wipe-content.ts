import type { DeviceFile } from '../devices/device-file.ts';
import { withDiskLock } from '../devices/disk-lock.ts';
import { type MeantDisk, requireSequence } from '../devices/disk-sequence.ts';
import { forgetPartitions } from '../partitions/kernel-table.ts';
import { openAlone } from '../devices/open-alone.ts';
import { discardRange, eachRange, zeroRange } from './ranges.ts';
import { eraseSignatures, requireZeros } from './wipe.ts';
import { zeroProofPlaces } from './places.ts';

export type WipeMethod =
  | 'fast' // discards what the device discards, zeroes both ends, every signature, and where a proof of emptiness looks
  | 'zeroes'; // zeroes every byte, and reads it back

export type WipeContentOptions = MeantDisk & {
  readonly method: WipeMethod;
  /** Bytes that are done. */
  readonly onProgress?: (doneBytes: bigint, totalBytes: bigint) => void;
  readonly signal?: AbortSignal;
};

/** A disk that writes 100 MB/s answers an abort within seconds; discards are quicker. */
const maxZeroed = 256n << 20n;
const maxDiscarded = 4n << 30n;

/**
 * Makes a disk or a partition blank. DESTROYS its content: who calls has asked the owner. Signatures are the first thing
 * that zeroing takes, so what is left of an interrupted wipe is nothing to anybody; done again it is complete. An abort is
 * heeded between two ranges. Needs root. Durable when it resolves.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY` with who uses it, `ERR_BLOCK_NOT_FOUND` when it is another disk; nothing was written
 *   then. `ERR_BLOCK_NOT_WIPED` for a device that does not do what it says.
 */
export async function content(path: string, options: WipeContentOptions): Promise<void> {
  await using device = await withDiskLock(path, () => makeUnknown(path, options), options);
  // Hours on a large disk, whose other partitions do not wait for it: the device is still open for us alone.
  if (options.method === 'zeroes') await zero(device, options);
  await device.sync();
  await device.dropCache();
}

/**
 * Looks whether {@link content} would be let: nothing is changed. Somebody may take the device a moment later.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY` with who uses it, `ERR_BLOCK_NOT_FOUND` when it is another disk.
 */
export async function requireUnused(
  path: string,
  options: Pick<WipeContentOptions, 'sequence' | 'signal'> = {},
): Promise<void> {
  const look = async (): Promise<void> => {
    await using device = await openAlone(path);
    requireSequence(device, options);
  };
  await withDiskLock(path, look, options);
}

/** From here on nobody knows what was on the device. */
async function makeUnknown(path: string, options: WipeContentOptions): Promise<DeviceFile> {
  const device = await openAlone(path);
  try {
    requireSequence(device, options);
    if (!device.isPartition) await forgetPartitions(device);
    if (options.method === 'fast') await discard(device, options);
    await eraseSignatures(device, options.signal);
    await zeroProofPlaces(device, options.signal);
    return device;
  } catch (error) {
    await device.close();
    throw error;
  }
}

/** What the device does not discard it keeps: signatures are zeroed whatever this did. */
async function discard(device: DeviceFile, { onProgress, signal }: WipeContentOptions): Promise<void> {
  await eachRange(device, { rangeBytes: maxDiscarded, signal }, async (offset, length) => {
    try {
      await discardRange(device, offset, length);
    } catch {
      return false;
    }
    onProgress?.(offset + length, device.sizeBytes);
    return true;
  });
}

async function zero(device: DeviceFile, { onProgress, signal }: WipeContentOptions): Promise<void> {
  await eachRange(device, { rangeBytes: maxZeroed, signal }, async (offset, length) => {
    await zeroRange(device, offset, length);
    await device.dropCache();
    await requireZeros(device, offset, length);
    onProgress?.(offset + length, device.sizeBytes);
    return true;
  });
}
