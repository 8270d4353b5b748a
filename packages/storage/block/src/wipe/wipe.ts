import { withDiskLock } from '../devices/disk-lock.ts';
import { DeviceFile } from '../devices/device-file.ts';
import { type MeantDisk, requireSequence } from '../devices/disk-sequence.ts';
import { BlockError } from '../errors.ts';
import { firstNonZero } from '../content/gpt-header.ts';
import { probe } from '../content/probe.ts';

export type WipeOptions = MeantDisk & { readonly signal?: AbortSignal };

const edgeBytes = 1n << 20n;
/** A magic is at most this long, and starts inside a block of this size. */
const blockBytes = 4096n;
/** Below a signature another may come to light; this many layers are no accident. */
const maxRounds = 16;

/**
 * Zeroes the first and the last MiB of a device and every signature in between. DESTROYS its content: the caller has
 * proved that it is ours. A device that somebody uses is refused. Durable, and read back, when it resolves.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY`, `ERR_BLOCK_NOT_FOUND` (it is another disk), `ERR_BLOCK_NOT_WIPED`, `ERR_BLOCK_FAILED`.
 */
export function signatures(path: string, options: WipeOptions = {}): Promise<void> {
  const { signal } = options;
  return withDiskLock(
    path,
    async () => {
      await using device = await DeviceFile.open(path, { write: true, exclusive: true });
      requireSequence(device, options);
      await eraseSignatures(device, signal);
    },
    options,
  );
}

/** The same on a device that the caller has opened for itself alone. */
export async function eraseSignatures(device: DeviceFile, signal?: AbortSignal): Promise<void> {
  const { path } = device;
  for (const { offset, length } of edgesOf(device)) await device.zero(offset, length);
  await device.dropCache();
  for (const { offset, length } of edgesOf(device)) await requireZeros(device, offset, length);
  for (let round = 0; round < maxRounds; round += 1) {
    signal?.throwIfAborted();
    await device.dropCache();
    const found = (await probe(path)).signatures;
    if (found.length === 0) return;
    for (const { offset } of found) await zeroBlocks(device, offset);
  }
  throw notWiped(path, 'signatures come back after they were zeroed');
}

/** Reads a range that was zeroed. The caller has seen to it that the answer is the device's and not the page cache's. */
export async function requireZeros(device: DeviceFile, offset: bigint, length: bigint): Promise<void> {
  for (let at = offset; at < offset + length; at += edgeBytes) {
    const left = offset + length - at;
    const size = Number(left < edgeBytes ? left : edgeBytes);
    const found = await device.inspect(at, size, firstNonZero);
    if (found === undefined) continue;
    throw notWiped(device.path, `byte ${at + BigInt(found)} is not zero after it was written so`);
  }
}

function notWiped(path: string, what: string): BlockError {
  const advice =
    'the device takes writes and keeps what it had; do not trust it with data, and destroy it to be rid of it';
  return new BlockError('ERR_BLOCK_NOT_WIPED', path, `${path}: ${what}: ${advice}`);
}

type Range = { readonly offset: bigint; readonly length: bigint };

function edgesOf({ sizeBytes }: DeviceFile): readonly Range[] {
  const length = sizeBytes < edgeBytes ? sizeBytes : edgeBytes;
  return [
    { offset: 0n, length },
    { offset: sizeBytes - length, length },
  ];
}

/** The block of a magic and the next one, into which it may reach. */
async function zeroBlocks(device: DeviceFile, offset: bigint): Promise<void> {
  const start = (offset / blockBytes) * blockBytes;
  const left = device.sizeBytes - start;
  await device.zero(start, left < 2n * blockBytes ? left : 2n * blockBytes);
}
