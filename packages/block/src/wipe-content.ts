import { codeOf, ioctl } from '@nodecore/sys';

import { DeviceFile } from './device-file.ts';
import { usersOf } from './device-users.ts';
import { withDiskLock } from './disk-lock.ts';
import { type MeantDisk, requireSequence } from './disk-sequence.ts';
import { BlockError } from './errors.ts';
import { forgetPartitions } from './kernel-table.ts';
import { eraseSignatures, requireZeros } from './wipe.ts';
import { zeroProofPlaces } from './wipe-places.ts';

export type WipeMethod =
  | 'fast' // discards what the device discards, zeroes both ends, every signature, and where a proof of emptiness looks
  | 'zeroes'; // zeroes every byte, and reads it back

export type WipeContentOptions = MeantDisk & {
  readonly method: WipeMethod;
  /** Bytes that are done. */
  readonly onProgress?: (doneBytes: bigint, totalBytes: bigint) => void;
  readonly signal?: AbortSignal;
};

const BLKDISCARD = 0x1277;
const BLKZEROOUT = 0x127f;

/** A disk that writes 100 MB/s answers an abort within seconds; discards are quicker. */
const zeroRange = 256n << 20n;
const discardRange = 4n << 30n;

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

async function openAlone(path: string): Promise<DeviceFile> {
  try {
    const device = await DeviceFile.open(path, { write: true, exclusive: true });
    const users = await othersOf(device);
    if (users.length === 0) return device;
    await device.close();
    throw busy(path, users);
  } catch (error) {
    if (codeOf(error) !== 'ERR_BLOCK_BUSY' || error instanceof Busy) throw error;
    await using device = await DeviceFile.open(path);
    throw busy(path, await othersOf(device));
  }
}

/** Partitions of a disk use it only when somebody uses them, and then it does not open for one alone. */
async function othersOf(device: DeviceFile): Promise<string[]> {
  return (await usersOf(device)).filter((user) => !user.startsWith('the kernel has partition'));
}

/** A busy device whose users have been asked for. */
class Busy extends BlockError {}

function busy(path: string, users: readonly string[]): Busy {
  const who = users.length === 0 ? 'somebody, or one of its partitions, has it' : users.join('; ');
  return new Busy('ERR_BLOCK_BUSY', path, `${path} is in use: ${who}`, { reasons: users });
}

/** What the device does not discard it keeps: signatures are zeroed whatever this did. */
async function discard(device: DeviceFile, options: WipeContentOptions): Promise<void> {
  await eachRange(device, discardRange, options, async (offset, length) => {
    try {
      await rangeCall(device, 'BLKDISCARD', BLKDISCARD, offset, length);
      return true;
    } catch {
      return false;
    }
  });
}

async function zero(device: DeviceFile, options: WipeContentOptions): Promise<void> {
  await eachRange(device, zeroRange, options, async (offset, length) => {
    if (device.kernel === undefined) await device.zero(offset, length);
    else await rangeCall(device, 'BLKZEROOUT', BLKZEROOUT, offset, length); // the kernel writes where the disk has no command
    await device.dropCache();
    await requireZeros(device, offset, length);
    return true;
  });
}

async function eachRange(
  { sizeBytes }: DeviceFile,
  most: bigint,
  { onProgress, signal }: WipeContentOptions,
  take: (offset: bigint, length: bigint) => Promise<boolean>,
): Promise<void> {
  for (let offset = 0n; offset < sizeBytes; offset += most) {
    signal?.throwIfAborted();
    const length = sizeBytes - offset < most ? sizeBytes - offset : most;
    if (!(await take(offset, length))) return;
    onProgress?.(offset + length, sizeBytes);
  }
}

async function rangeCall(
  { fd, path }: DeviceFile,
  name: string,
  request: number,
  offset: bigint,
  length: bigint,
): Promise<void> {
  const range = new BigUint64Array([offset, length]);
  await ioctl({ fd, path, name }, request, new Uint8Array(range.buffer));
}
