/** A range of sectors. */
export type Extent = { readonly firstLba: bigint; readonly sectors: bigint };

/** The first sector after the extent. */
export const endOf = ({ firstLba, sectors }: Extent): bigint => firstLba + sectors;

export type FreeOptions = {
  readonly firstUsableLba: bigint;
  /** Inclusive, as the table has it. */
  readonly lastUsableLba: bigint;
  readonly alignmentSectors: bigint;
};

/**
 * What lies between the occupied extents, which may come in any order. Starts and lengths are rounded inwards to the
 * alignment; what is too small for that is left out.
 */
export function freeExtents(occupied: readonly Extent[], options: FreeOptions): Extent[] {
  const { firstUsableLba, lastUsableLba, alignmentSectors } = options;
  const free: Extent[] = [];
  let from = firstUsableLba;
  const end: Extent = { firstLba: lastUsableLba + 1n, sectors: 0n };
  for (const extent of [...sorted(occupied), end]) {
    const firstLba = roundUp(from, alignmentSectors);
    const sectors = ((extent.firstLba - firstLba) / alignmentSectors) * alignmentSectors;
    if (sectors > 0n) free.push({ firstLba, sectors });
    if (endOf(extent) > from) from = endOf(extent);
  }
  return free;
}

/** The first two extents that share a sector, if any do. */
export function firstOverlap<T extends Extent>(extents: readonly T[]): readonly [T, T] | undefined {
  let reaching: T | undefined;
  for (const extent of sorted(extents)) {
    if (reaching !== undefined && extent.firstLba < endOf(reaching)) return [reaching, extent];
    if (reaching === undefined || endOf(extent) > endOf(reaching)) reaching = extent;
  }
  return undefined;
}

/** The smallest extent that is large enough, the first of several equals: large ranges stay for large partitions. */
export function smallestFit(free: readonly Extent[], sectors: bigint): Extent | undefined {
  return free
    .filter((extent) => extent.sectors >= sectors)
    .reduce<Extent | undefined>(
      (best, extent) => (best === undefined || extent.sectors < best.sectors ? extent : best),
      undefined,
    );
}

/** The first of several equals; undefined when nothing is free. */
export function largest(free: readonly Extent[]): Extent | undefined {
  return free.reduce<Extent | undefined>(
    (best, extent) => (best === undefined || extent.sectors > best.sectors ? extent : best),
    undefined,
  );
}

/** The next multiple of `unit`, or the value itself when it is one. Both must not be negative, and `unit` not 0. */
export function roundUp(value: bigint, unit: bigint): bigint {
  return ((value + unit - 1n) / unit) * unit;
}

function sorted<T extends Extent>(extents: readonly T[]): T[] {
  return [...extents].sort((one, other) =>
    one.firstLba < other.firstLba ? -1 : one.firstLba > other.firstLba ? 1 : 0,
  );
}
