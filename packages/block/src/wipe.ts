import { withDiskLock } from './disk-lock.ts';
import { DeviceFile } from './device-file.ts';
import { BlockError } from './errors.ts';
import { probe } from './probe.ts';

export type WipeOptions = { readonly signal?: AbortSignal };

const edgeBytes = 1n << 20n;
/** A magic is at most this long, and starts inside a block of this size. */
const blockBytes = 4096n;
/** Below a signature another may come to light; this many layers are no accident. */
const mostRounds = 16;

/**
 * Zeroes the first and the last MiB of a device and every signature in between. DESTROYS its content: the caller has
 * proved that it is ours. A device that somebody uses is refused. Durable when it resolves.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY`, `ERR_BLOCK_FAILED`.
 */
export function signatures(path: string, options: WipeOptions = {}): Promise<void> {
  const { signal } = options;
  return withDiskLock(
    path,
    async () => {
      await using device = await DeviceFile.open(path, { write: true, exclusive: true });
      await eraseSignatures(device, signal);
    },
    options,
  );
}

/** The same on a device that the caller has opened for itself alone. */
export async function eraseSignatures(device: DeviceFile, signal?: AbortSignal): Promise<void> {
  const { path } = device;
  await zeroEdges(device);
  for (let round = 0; round < mostRounds; round += 1) {
    signal?.throwIfAborted();
    await device.dropCache();
    const found = (await probe(path)).signatures;
    if (found.length === 0) return;
    for (const { offset } of found) await zeroBlocks(device, offset);
  }
  throw new BlockError('ERR_BLOCK_FAILED', path, `${path}: signatures come back after they were zeroed`);
}

async function zeroEdges(device: DeviceFile): Promise<void> {
  const { sizeBytes } = device;
  const length = sizeBytes < edgeBytes ? sizeBytes : edgeBytes;
  await device.zero(0n, length);
  await device.zero(sizeBytes - length, length);
}

/** The block of a magic and the next one, into which it may reach. */
async function zeroBlocks(device: DeviceFile, offset: bigint): Promise<void> {
  const start = (offset / blockBytes) * blockBytes;
  const left = device.sizeBytes - start;
  await device.zero(start, left < 2n * blockBytes ? left : 2n * blockBytes);
}
