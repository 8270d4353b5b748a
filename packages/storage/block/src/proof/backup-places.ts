import { type ByteRange, mergedWithin } from '../byte-range.ts';

/**
 * Where filesystems and containers keep second copies of what their beginning says, which outlive a beginning that was
 * zeroed. A place counts from where the filesystem began, which may be the device or a partition of a table that is gone.
 */

const kib = 1n << 10n;
const mib = 1n << 20n;
const gib = 1n << 30n;
const tib = 1n << 40n;
const pageBytes = 4096n;

/** What has backups that are looked for. */
export const backupKinds: readonly string[] = ['ext4', 'xfs', 'btrfs', 'luks', 'gpt', 'bluestore', 'ntfs'];

/** ext2, ext3 and ext4 with sparse_super: groups 1 and the powers of 3, 5 and 7. One more of them is as good as many. */
const sparseGroups = [1n, 3n, 5n, 7n, 9n, 25n, 27n, 49n, 81n, 125n, 243n, 343n, 625n, 729n];

/** Of LUKS2: the second header begins where the first one's area ends, which has one of these sizes. */
const luksHeaders = [16n, 32n, 64n, 128n, 256n, 512n, 1024n, 2048n, 4096n].map((size) => size * kib);

const btrfsMirrors = [64n * mib, 256n * gib];
const bluestoreLabels = [1n * gib, 10n * gib, 100n * gib, 1000n * gib];

/** Where a partition begins that a table of today, of DOS times, or of a device with large erase blocks has made. */
export function defaultStarts(sizeBytes: bigint, sectorSize: number): readonly bigint[] {
  return [63n * BigInt(sectorSize), 1n * mib, 4n * mib].filter((start) => start + 2n * mib <= sizeBytes);
}

/** The pages that hold backups, sorted and disjoint, none outside of `bounds`. */
export function backupPlaces(sizeBytes: bigint, starts: readonly bigint[], bounds: ByteRange): ByteRange[] {
  const places = [0n, ...starts].flatMap((start) => [
    ...extGroups(start, sizeBytes),
    ...xfsGroups(start, sizeBytes),
    ...[...btrfsMirrors, ...bluestoreLabels, ...luksHeaders].map((offset) => start + offset),
  ]);
  const pages = [...places, ...formerEnds(sizeBytes)].map(pageOf);
  return mergedWithin(pages, bounds);
}

function extGroups(start: bigint, sizeBytes: bigint): bigint[] {
  return [1n, 2n, 4n].flatMap((kibs) => {
    const blockBytes = kibs * kib;
    const groupBytes = 8n * blockBytes * blockBytes; // one block of bits says which blocks of a group are used
    const first = blockBytes === kib ? kib : 0n; // block 0 is the boot block there
    return sparseGroups.map((group) => start + first + group * groupBytes).filter((at) => at < sizeBytes);
  });
}

/**
 * mkfs.xfs makes 4 groups of most devices, a power of two of what looks like a RAID, and groups of 1 TiB of large ones. Where
 * the filesystem ended is not known any more: at the end of the device, or where tools let a last partition end.
 */
function xfsGroups(start: bigint, sizeBytes: bigint): bigint[] {
  const ends = start === 0n ? [sizeBytes] : [(sizeBytes / mib - 1n) * mib, sizeBytes - 17n * kib];
  const halves = ends.flatMap((end) =>
    [1n, 2n, 3n, 4n, 5n].flatMap((power) => {
      const blocks = (end - start) / pageBytes;
      const groups = 1n << power;
      const groupBlocks = (blocks + groups - 1n) / groups;
      return [1n, 2n, 3n, groups - 1n]
        .filter((group) => group < groups)
        .map((group) => start + group * groupBlocks * pageBytes);
    }),
  );
  const large = [1n, 2n, 3n].map((group) => start + group * (tib - pageBytes));
  return [...halves, ...large].filter((at) => at < sizeBytes);
}

/** The last sectors of a smaller disk whose image is on this one, or that grew; and of the last partition (NTFS). */
function formerEnds(sizeBytes: bigint): bigint[] {
  const ends = [(sizeBytes / mib - 1n) * mib];
  for (let size = 1n << 26n; size < sizeBytes; size *= 2n) ends.push(size);
  return ends.map((end) => end - 1n);
}

/** A magic is at most one sector behind its place. */
function pageOf(offset: bigint): ByteRange {
  const from = (offset / pageBytes) * pageBytes;
  const to = ((offset + 511n) / pageBytes + 1n) * pageBytes;
  return { offset: from, size: to - from };
}
