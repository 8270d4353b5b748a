import { type FileHandle, open } from 'node:fs/promises';

import { UsageError } from './usage-error.ts';

/** Far above anything that a command line names; a device that never ends is not read for ever. */
const largestBytes = 64 << 20;

/**
 * All that a file or a pipe holds, in a buffer of its own: whoever takes it for a secret wipes all of it.
 *
 * @throws {UsageError} when it is longer than 64 MiB, or was changed meanwhile: half of each version is neither; {Error} of open(2).
 * @param meanwhile what a test does while it is read.
 */
export async function readWhole(
  path: string,
  meanwhile: () => Promise<void> = async () => {},
): Promise<Buffer> {
  await using file = await open(path);
  const before = await file.stat({ bigint: true });
  const bytes = await readBounded(file, before.isFile() ? Number(before.size) : 0);
  await meanwhile();
  if (bytes === undefined) throw new UsageError(`${path}: it is longer than ${largestBytes >> 20} MiB`);
  const after = await file.stat({ bigint: true });
  if (before.isFile() && (after.mtimeNs !== before.mtimeNs || after.size !== before.size)) {
    bytes.fill(0);
    throw new UsageError(`${path}: it was changed while it was read; give the command again`);
  }
  return bytes;
}

/** @returns undefined when there is more than is read. */
async function readBounded(file: FileHandle, expectedBytes: number): Promise<Buffer | undefined> {
  if (expectedBytes > largestBytes) return undefined;
  let buffer = Buffer.alloc(expectedBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (bytesRead === 0) return moved(buffer, length, length);
    if (length > largestBytes) {
      buffer.fill(0);
      return undefined;
    }
    if (length === buffer.length) buffer = moved(buffer, length, Math.max(2 * length, 1 << 16));
  }
}

/** The same bytes in another buffer; nothing of them stays behind. */
function moved(buffer: Buffer, length: number, size: number): Buffer<ArrayBuffer> {
  const next = Buffer.alloc(size);
  buffer.copy(next, 0, 0, length);
  buffer.fill(0);
  return next;
}
