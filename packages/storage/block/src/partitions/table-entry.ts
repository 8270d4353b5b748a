/**
 * Attribute bits of an entry that a user of the partition type defines (UEFI specification, table 5.6: 48 to 63). Both
 * are ours on partitions that we make.
 */
export const underConstructionBit: bigint = 1n << 56n;

/**
 * The entry is about to get another size, or to go. Both copies of the table say so before either changes: where a power
 * cut leaves two tables, this tells a change of ours from a copy that is older.
 */
export const changingBit: bigint = 1n << 57n;

/** The size of an entry in tables that libfdisk makes, and the smallest one that the UEFI specification allows. */
export const entryBytes = 128;

const ours = underConstructionBit | changingBit;
const lastLbaAt = 40;
const attributesAt = 48;

/**
 * Whether one entry can be what a change of ours makes of another: the marks alone differ, an entry under construction is
 * new, or one that says that it is changing has gone or become larger.
 */
export function isOurChange(before: Buffer, after: Buffer): boolean {
  if (isUnused(before)) return isUnused(after) ? false : has(after, ours);
  if (isUnused(after)) return has(before, changingBit);
  if (isSameBut(before, after, { size: false })) return true;
  return has(before, changingBit) && isSameBut(before, after, { size: true }) && endOf(after) > endOf(before);
}

function isUnused(entry: Buffer): boolean {
  return entry.every((byte) => byte === 0);
}

function has(entry: Buffer, bits: bigint): boolean {
  return (entry.readBigUInt64LE(attributesAt) & bits) !== 0n;
}

function endOf(entry: Buffer): bigint {
  return entry.readBigUInt64LE(lastLbaAt);
}

/** The same entry but for our marks, and for its size where that may differ. */
function isSameBut(one: Buffer, other: Buffer, { size }: { readonly size: boolean }): boolean {
  const plain = (entry: Buffer): Buffer => {
    const copy = Buffer.from(entry);
    copy.writeBigUInt64LE(copy.readBigUInt64LE(attributesAt) & ~ours, attributesAt);
    if (size) copy.writeBigUInt64LE(0n, lastLbaAt);
    return copy;
  };
  return plain(one).equals(plain(other));
}
