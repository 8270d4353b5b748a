/** Bytes of a device. */
export type ByteRange = { readonly offset: bigint; readonly size: bigint };

/** The first byte after the range. */
export const endOfRange = ({ offset, size }: ByteRange): bigint => offset + size;

/** Sorted, what overlaps or touches joined, and nothing outside of `bounds`. */
export function mergedWithin(ranges: readonly ByteRange[], bounds: ByteRange): ByteRange[] {
  const merged: { offset: bigint; size: bigint }[] = [];
  for (const range of [...ranges].sort(byOffset)) {
    const offset = range.offset > bounds.offset ? range.offset : bounds.offset;
    const end = endOfRange(range) < endOfRange(bounds) ? endOfRange(range) : endOfRange(bounds);
    if (end <= offset) continue;
    const last = merged.at(-1);
    if (last === undefined || offset > endOfRange(last)) merged.push({ offset, size: end - offset });
    else if (end > endOfRange(last)) last.size = end - last.offset;
  }
  return merged;
}

/** The sum of the sizes; bytes that two ranges share count twice, so join them with {@link mergedWithin} before. */
export function bytesOf(ranges: readonly ByteRange[]): bigint {
  return ranges.reduce((sum, { size }) => sum + size, 0n);
}

function byOffset(one: ByteRange, other: ByteRange): number {
  return one.offset < other.offset ? -1 : one.offset > other.offset ? 1 : 0;
}
