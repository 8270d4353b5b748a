import type { ByteRange } from '../byte-range.ts';

/** How many windows are spread over a device. */
export const windowCount = 1024;
/** The size and alignment of a window within its range: one page. */
export const windowBytes = 4096n;

/** A device up to this size is read as a whole. */
const wholeBytes = 16n << 20n;
const chunkBytes = 256n << 10n;

/** Goes into every place: the same device has the same windows wherever and whenever it is looked at. */
export const windowSeed = 0x6e6f_6465_636f_7265n;

/**
 * The windows that a proof of emptiness reads of a range: one in each of 1024 equal parts, at a place within its part that
 * the seed says. So two neighbours are never further apart than 2/1024 of the range. A small range is read as a whole.
 */
export function spreadWindows({ offset, size }: ByteRange): ByteRange[] {
  return size <= wholeBytes ? chunks({ offset, size }) : spread({ offset, size }, windowCount);
}

/** One page in each of `count` equal parts of a range that has at least as many pages. */
export function spread({ offset, size }: ByteRange, count: number): ByteRange[] {
  const pages = size / windowBytes;
  const parts = BigInt(count);
  return Array.from({ length: count }, (_, index) => {
    const from = (pages * BigInt(index)) / parts;
    const to = (pages * BigInt(index + 1)) / parts;
    const page = from + (to === from ? 0n : scatter(BigInt(index)) % (to - from));
    return { offset: offset + page * windowBytes, size: windowBytes };
  });
}

/** All of a range, in pieces that are read one after the other. */
export function chunks({ offset, size }: ByteRange): ByteRange[] {
  const pieces: ByteRange[] = [];
  const end = offset + size;
  for (let at = offset; at < end; at += chunkBytes)
    pieces.push({ offset: at, size: end - at < chunkBytes ? end - at : chunkBytes });
  return pieces;
}

/** The finaliser of SplitMix64: neighbouring numbers become unlike ones. */
function scatter(index: bigint): bigint {
  let word = BigInt.asUintN(64, windowSeed + (index + 1n) * 0x9e37_79b9_7f4a_7c15n);
  word = BigInt.asUintN(64, (word ^ (word >> 30n)) * 0xbf58_476d_1ce4_e5b9n);
  word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d0_49bb_1331_11ebn);
  return word ^ (word >> 31n);
}
