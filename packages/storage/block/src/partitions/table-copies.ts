import { crc32 } from 'node:zlib';

import type { DeviceFile } from '../devices/device-file.ts';
import { type GptHeader, parseGptHeader } from '../content/gpt-header.ts';
import { entryBytes, isOurChange } from './table-entry.ts';

/** How the two copies of a GUID partition table stand to each other. */
export type TableCopies =
  | { readonly state: 'whole' } // both are valid, in their places, and say the same
  | { readonly state: 'grown' } // so, but the second is where the disk ended before it grew
  | { readonly state: 'interrupted' } // a change of ours broke off between them
  | { readonly state: 'damaged'; readonly reasons: readonly string[] };

type Copy = {
  readonly header: GptHeader;
  readonly entries: Buffer;
  /** The entries fit the header's checksum. */
  readonly isWhole: boolean;
};

const maxEntriesBytes = 1 << 20; // libfdisk takes no larger table either
const names = { first: 'its first copy (sector 1)', second: 'its second copy (at the end)' } as const;

/**
 * Reads both copies from the device and compares them byte by byte. A table is only ever changed when both say the same: of
 * two that differ nobody knows which is the older, and what the older one calls free may be in use.
 *
 * What a change of ours leaves that is cut off between two writes is told from that: the second copy is written first, so
 * the copies differ in one entry at most, in a way that the entry itself announces.
 */
export async function compareCopies(device: DeviceFile): Promise<TableCopies> {
  const reasons = mbrFaults(await device.read(0n, device.sectorSize));
  const lastLba = device.sizeBytes / BigInt(device.sectorSize) - 1n;
  const first = await readCopy(device, 1n);
  const claimed = typeof first === 'string' ? lastLba : first.header.otherLba;
  if (claimed > lastLba)
    reasons.push('its second copy lies beyond the end of the device: the disk has shrunk');
  const second = await readCopy(device, claimed > lastLba ? lastLba : claimed);
  if (typeof first === 'string') reasons.push(`${names.first} ${first}`);
  if (typeof second === 'string') reasons.push(`${names.second} ${second}`);
  if (typeof first === 'string' || typeof second === 'string' || reasons.length > 0) return damaged(reasons);

  reasons.push(...geometryFaults(first.header, second.header));
  if (reasons.length > 0) return damaged(reasons);
  const isGrown = claimed < lastLba;
  if (first.isWhole && second.isWhole && first.entries.equals(second.entries))
    return { state: isGrown ? 'grown' : 'whole' };
  if (!isGrown && isInterrupted(first, second)) return { state: 'interrupted' };
  return damaged(differences(first, second));
}

function damaged(reasons: readonly string[]): TableCopies {
  return { state: 'damaged', reasons };
}

/** A copy as it stands in a place; a sentence when there is none. */
async function readCopy(device: DeviceFile, lba: bigint): Promise<Copy | string> {
  const sector = BigInt(device.sectorSize);
  const header = parseGptHeader(await device.read(lba * sector, device.sectorSize));
  if (header === undefined) return 'is damaged: its header is none, or its checksum is wrong';
  if (header.ownLba !== lba) return `is damaged: its header says that it is at sector ${header.ownLba}`;
  const { entryCount, entrySize, entriesLba } = header;
  const bytes = entryCount * entrySize;
  const end = entriesLba * sector + BigInt(bytes);
  const isSized = entryCount > 0 && entrySize >= entryBytes && entrySize % entryBytes === 0;
  if (!isSized || bytes > maxEntriesBytes || end > device.sizeBytes)
    return `is damaged: it has ${entryCount} entries of ${entrySize} bytes at sector ${entriesLba}`;
  const entries = await device.read(entriesLba * sector, bytes);
  return { header, entries, isWhole: crc32(entries) === header.entriesCrc };
}

/** What the headers say must agree in everything but their places, and nothing may lie in the way of partitions. */
function geometryFaults(first: GptHeader, second: GptHeader): string[] {
  const faults: string[] = [];
  const same = ['diskGuid', 'firstUsableLba', 'lastUsableLba', 'entryCount', 'entrySize'] as const;
  for (const field of same) if (first[field] !== second[field]) faults.push(`its copies differ in ${field}`);
  if (second.otherLba !== first.ownLba) faults.push(`${names.second} belongs to another table`);
  if (first.entriesLba < 2n || first.entriesLba >= first.firstUsableLba)
    faults.push(`${names.first} has its entries among the partitions`);
  if (second.entriesLba <= second.lastUsableLba || second.entriesLba >= second.ownLba)
    faults.push(`${names.second} has its entries among the partitions`);
  return faults;
}

function isInterrupted(first: Copy, second: Copy): boolean {
  if (first.header.entrySize !== entryBytes) return false;
  if (!first.isWhole && !second.isWhole) return false;
  const [differing, ...more] = differingEntries(first, second);
  // The entries have reached both copies, and a header has not.
  if (differing === undefined) return true;
  if (more.length > 0 || !first.isWhole) return false;
  // The second header is either the one before the change, or the one after it.
  if (!second.isWhole && second.header.entriesCrc !== first.header.entriesCrc) return false;
  return isOurChange(entryOf(first, differing), entryOf(second, differing));
}

function differingEntries(first: Copy, second: Copy): number[] {
  const { entryCount } = first.header;
  return Array.from({ length: entryCount }, (_, index) => index).filter(
    (index) => !entryOf(first, index).equals(entryOf(second, index)),
  );
}

function entryOf({ header: { entrySize }, entries }: Copy, index: number): Buffer {
  return entries.subarray(index * entrySize, (index + 1) * entrySize);
}

function differences(first: Copy, second: Copy): string[] {
  const reasons: string[] = [];
  if (!first.isWhole) reasons.push(`${names.first} is damaged: its entries do not fit their checksum`);
  if (!second.isWhole) reasons.push(`${names.second} is damaged: its entries do not fit their checksum`);
  const differing = differingEntries(first, second).map((index) => index + 1);
  if (reasons.length === 0 && differing.length > 0)
    reasons.push(`its copies differ, so one is older: in partition ${differing.join(', ')}`);
  return reasons;
}

const mbr = { entriesAt: 446, entryBytes: 16, entries: 4, signature: 0xaa55, protective: 0xee } as const;

/** The first sector keeps programs that know no GUID tables from taking the disk for a free one. */
function mbrFaults(sector: Buffer): string[] {
  if (sector.readUInt16LE(510) !== mbr.signature) return ['its protective MBR is damaged or missing'];
  const used = Array.from({ length: mbr.entries }, (_, index) => {
    const at = mbr.entriesAt + index * mbr.entryBytes;
    return { type: sector.readUInt8(at + 4), firstLba: sector.readUInt32LE(at + 8) };
  }).filter(({ type }) => type !== 0);
  const [only, ...others] = used;
  if (others.length > 0) return ['its protective MBR has partitions of its own'];
  const isProtective = only?.type === mbr.protective && only.firstLba === 1;
  return isProtective ? [] : ['its MBR does not protect the table'];
}
