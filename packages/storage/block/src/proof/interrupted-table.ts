import { crc32 } from 'node:zlib';

import { type GptHeader, isZero, parseGptHeader } from '../content/gpt-header.ts';

/** The first and the last MiB of a device. */
export type Edges = {
  readonly first: Buffer;
  readonly last: Buffer;
  readonly sizeBytes: bigint;
  readonly sectorSize: number;
};

/**
 * Whether the edges of a device hold nothing but the beginning of an empty GUID partition table whose creation broke
 * off: data that nobody can have stored anything in.
 *
 * libfdisk writes the second copy first: its entries (zeros), its header, the entries of the first copy (zeros), its
 * header, and the protective MBR at the end. So what a crash leaves is a correct second header over entries that are
 * all zero, perhaps a correct first header that agrees with it, and no MBR.
 */
export function isInterruptedTable(edges: Edges): boolean {
  return isZero(edges.first.subarray(0, edges.sectorSize)) && holdsNoPartition(edges);
}

/** Whether they hold a whole GUID partition table without a partition, as we make it, and nothing else. */
export function isEmptyTable(edges: Edges): boolean {
  if (!holdsNoPartition(edges)) return false;
  const { first, sectorSize } = edges;
  const mbr = Buffer.from(first.subarray(0, sectorSize)); // a copy: what it may hold is taken out of it
  if (mbr.readUInt8(450) !== 0xee || mbr.readUInt32LE(454) !== 1 || mbr.readUInt16LE(510) !== 0xaa55)
    return false;
  mbr.fill(0, 446, 462).fill(0, 510, 512);
  return isZero(mbr) && !isZero(first.subarray(sectorSize, 2 * sectorSize));
}

/** A second copy whose entries are zero, perhaps a first one that agrees, and nothing else behind the MBR. */
function holdsNoPartition({ first, last, sizeBytes, sectorSize }: Edges): boolean {
  const lastLba = sizeBytes / BigInt(sectorSize) - 1n;
  if (sizeBytes % BigInt(sectorSize) !== 0n || sizeBytes < BigInt(first.length + last.length)) return false;
  const backup = parseGptHeader(last.subarray(-sectorSize));
  if (backup === undefined || backup.ownLba !== lastLba || backup.otherLba !== 1n) return false;
  if (!isZero(last.subarray(0, -sectorSize)) || !describesNothing(backup, last, lastLba, sectorSize))
    return false;

  const primarySector = first.subarray(sectorSize, 2 * sectorSize);
  if (!isZero(first.subarray(2 * sectorSize))) return false;
  return isZero(primarySector) || agrees(parseGptHeader(primarySector), backup);
}

/** The entries lie where they were found to be zero, and the checksum says that they are meant to be. */
function describesNothing(header: GptHeader, last: Buffer, lastLba: bigint, sectorSize: number): boolean {
  const { entryCount, entrySize, entriesLba, entriesCrc } = header;
  const entriesBytes = entryCount * entrySize;
  if (entryCount === 0 || entrySize < 128 || entriesBytes > last.length - sectorSize) return false;
  const startsInside =
    entriesLba * BigInt(sectorSize) >= (lastLba + 1n) * BigInt(sectorSize) - BigInt(last.length);
  const endsBefore = entriesLba * BigInt(sectorSize) + BigInt(entriesBytes) <= lastLba * BigInt(sectorSize);
  return startsInside && endsBefore && crc32(Buffer.alloc(entriesBytes)) === entriesCrc;
}

function agrees(primary: GptHeader | undefined, backup: GptHeader): boolean {
  return (
    primary !== undefined &&
    primary.ownLba === 1n &&
    primary.otherLba === backup.ownLba &&
    primary.diskGuid === backup.diskGuid &&
    primary.firstUsableLba === backup.firstUsableLba &&
    primary.lastUsableLba === backup.lastUsableLba &&
    primary.entryCount === backup.entryCount &&
    primary.entrySize === backup.entrySize &&
    primary.entriesCrc === backup.entriesCrc
  );
}
