import { blockBytes } from './header-copy.ts';
import type { HeaderFacts } from './header-json.ts';

/** A stretch of the keyslot area, in bytes from the start of the device. */
export type Range = { readonly offset: bigint; readonly sizeBytes: bigint };

/** LUKS2 specification 3.2.1: anti-forensic splitting writes every key this many times as long. */
const stripes = 4000n;
const alignment = 4096n;

/** Where the keyslots of a header lie: behind both copies. */
export function keyslotRegion(facts: HeaderFacts): Range {
  const offset = 2n * (facts.jsonSizeBytes + BigInt(blockBytes));
  return { offset, sizeBytes: facts.keyslotsSizeBytes };
}

/** The first stretch that a keyslot for such a key fits in without touching any of `used`. */
export function freeRange(facts: HeaderFacts, used: readonly Range[], keyBytes: number): Range | undefined {
  const sizeBytes = roundUp(BigInt(keyBytes) * stripes, alignment);
  return freeRangeOf(facts, used, sizeBytes);
}

/** {@link freeRange} for a size in bytes instead of a key. */
export function freeRangeOf(
  facts: HeaderFacts,
  used: readonly Range[],
  sizeBytes: bigint,
): Range | undefined {
  const region = keyslotRegion(facts);
  const end = region.offset + region.sizeBytes;
  let offset = region.offset;
  for (const range of used.toSorted((a, b) => Number(a.offset - b.offset))) {
    if (offset + sizeBytes <= range.offset) break;
    const after = roundUp(range.offset + range.sizeBytes, alignment);
    if (after > offset) offset = after;
  }
  return offset + sizeBytes <= end ? { offset, sizeBytes } : undefined;
}

/** True when they share a byte; ranges that only touch don't overlap. */
export function overlaps(one: Range, other: Range): boolean {
  return one.offset < other.offset + other.sizeBytes && other.offset < one.offset + one.sizeBytes;
}

function roundUp(value: bigint, unit: bigint): bigint {
  return ((value + unit - 1n) / unit) * unit;
}
