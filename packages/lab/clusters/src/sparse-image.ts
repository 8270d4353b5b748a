import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';

import { codeOf } from '@nodecore/sys';

import { ClusterError } from './errors.ts';

const zeros = Buffer.alloc(64 << 10);
/** RFC 8878, 3.1.1. */
const frameMark = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Whether bytes begin as what zstd has packed, whatever its name. */
export function isPacked(first: Uint8Array): boolean {
  return frameMark.equals(first.subarray(0, frameMark.length));
}

/**
 * Writes bytes into an empty file, with holes where they are zero.
 *
 * @returns how many there were.
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE` for more than `mostBytes`; the rest is not read.
 */
export async function writeSparse(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  mostBytes: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  let at = 0;
  for await (const bytes of source) {
    if (at + bytes.length > mostBytes)
      throw new ClusterError(
        'ERR_CLUSTER_IMAGE',
        `the image has more than the ${mostBytes} bytes of the disk`,
      );
    for (let from = 0; from < bytes.length; from += zeros.length) {
      const piece = bytes.subarray(from, from + zeros.length);
      if (!zeros.subarray(0, piece.length).equals(piece)) await writeAt(file, piece, at + from);
    }
    at += bytes.length;
  }
  await file.truncate(at);
  return at;
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/**
 * An image as it is, or what zstd has packed, unpacked.
 *
 * @throws {ClusterError} `ERR_CLUSTER_IMAGE` for what ends early.
 */
export async function* plainImage(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const rest = source[Symbol.asyncIterator]();
  try {
    let first = Buffer.alloc(0);
    while (first.length < frameMark.length) {
      const { done, value } = await rest.next();
      if (done === true) break;
      first = Buffer.concat([first, value]);
    }
    const whole = join(first, rest);
    yield* isPacked(first) ? unpacked(whole) : whole;
  } finally {
    await rest.return?.();
  }
}

async function* join(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* unpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { zstdFrames } = await import('@nodecore/oci'); // with clients of registries, for which few keepers have a use
  const plain = createZstdDecompress({ chunkSize: zeros.length });
  const fed = pipeline(zstdFrames(source), plain).catch(() => {}); // who reads is told why
  try {
    yield* plain as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!(error instanceof Error) || !/^(?:ERR_OCI_LAYER$|Z)/u.test(codeOf(error) ?? '')) throw error;
    throw new ClusterError('ERR_CLUSTER_IMAGE', `the image can't be unpacked: ${error.message}`, {
      cause: error,
    });
  } finally {
    plain.destroy();
    await fed;
  }
}
