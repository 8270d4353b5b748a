import { type ByteRange, bytesOf, endOfRange, mergedWithin } from '../byte-range.ts';
import { chunks, spread, windowBytes, windowCount } from './windows.ts';

/** As much as is read as a whole, where a map says that only this can hold anything. */
const wholeBytes = 64n << 20n;

/**
 * What is read of the extents that a map names: all of them where they are small together, else 1024 windows spread over
 * nothing but them, and the first page of each.
 */
export function extentWindows(extents: readonly ByteRange[], bounds: ByteRange): ByteRange[] {
  const inside = mergedWithin(extents.map(onPages), bounds);
  const total = bytesOf(inside);
  if (total <= wholeBytes) return inside.flatMap(chunks);
  const strung = spread({ offset: 0n, size: total }, windowCount).map(({ offset }) =>
    unstring(inside, offset),
  );
  const firsts = inside.map(({ offset }) => ({ offset, size: windowBytes }));
  return mergedWithin([...strung, ...firsts], bounds);
}

/** The window at an offset in the extents put one behind the other. */
function unstring(extents: readonly ByteRange[], offset: bigint): ByteRange {
  let before = 0n;
  for (const extent of extents) {
    if (offset < before + extent.size) {
      const at = extent.offset + offset - before;
      const left = endOfRange(extent) - at;
      return { offset: at, size: left < windowBytes ? left : windowBytes };
    }
    before += extent.size;
  }
  return { offset: 0n, size: 0n };
}

function onPages({ offset, size }: ByteRange): ByteRange {
  const from = (offset / windowBytes) * windowBytes;
  const to = ((offset + size + windowBytes - 1n) / windowBytes) * windowBytes;
  return { offset: from, size: to - from };
}
