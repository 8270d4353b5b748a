import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';

import { ImageError } from '../errors.ts';
import { lzmaEncode, lzmaRoom, lzmaVersion } from './ffi.ts';
import { storedXz } from './stored-xz.ts';

/** How images are compressed, by the ends of their names. */
export const compressions = ['gz', 'xz', 'zst'] as const;

/** `gz`, `xz` or `zst`: programs read several frames one behind the other as what all of them hold. */
export type Compression = (typeof compressions)[number];

const zstd = promisify(zstdCompress);
const gzipped = promisify(gzip);

/** A higher one takes ten times as long for some promille of an image. */
const xzPreset = 0;
const crc64 = 4;

/**
 * Bytes as one frame: a zstd frame, a gzip member, an xz stream. Computed on a pool thread; the same bytes by the same library
 * ({@link compressionVersion}) are always the same frame.
 *
 * @throws {ImageError} `ERR_IMAGE_COMPRESSION` when xz has no memory.
 */
export async function frame(bytes: Uint8Array, compression: Compression): Promise<Buffer> {
  if (compression === 'zst') return await zstd(bytes);
  const isStored = await isCompressed(bytes);
  if (compression === 'gz') return withoutSystem(await gzipped(bytes, isStored ? { level: 0 } : {}));
  if (isStored) return storedXz(bytes);
  const out = Buffer.allocUnsafeSlow(lzmaRoom(bytes.length));
  const { result, size } = await lzmaEncode(xzPreset, crc64, bytes, out);
  if (result !== 0) throw new ImageError('ERR_IMAGE_COMPRESSION', `liblzma: ${result}`);
  return Buffer.from(out.subarray(0, size));
}

/**
 * Whether bytes are compressed already, as most of an image is: zstd sees that ten times as fast as gzip, and fifty times as fast as xz.
 */
export async function isCompressed(bytes: Uint8Array): Promise<boolean> {
  return bytes.length > 0 && (await zstd(bytes)).length > bytes.length * 0.98;
}

/** What computes the frames; another version may give others for the same bytes. */
export function compressionVersion(compression: Compression): string {
  const zstdVersion = `zstd ${process.versions['zstd']}`;
  if (compression === 'zst') return zstdVersion;
  const own =
    compression === 'gz' ? `zlib ${process.versions['zlib']}` : `lzma ${lzmaVersion()} -${xzPreset}`;
  return `${own}, ${zstdVersion}`; // which says what is stored as it is
}

/** A gzip member names the system that it was made on (RFC 1952, 2.3.1): 255 is unknown. */
function withoutSystem(member: Buffer): Buffer {
  member.writeUInt8(255, 9);
  return member;
}
