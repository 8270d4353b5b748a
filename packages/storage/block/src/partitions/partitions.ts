import { callsWithin } from '../devices/device-calls.ts';
import { DeviceFile } from '../devices/device-file.ts';
import { withDiskLock } from '../devices/disk-lock.ts';
import { type MeantDisk, requireSequence } from '../devices/disk-sequence.ts';
import { openUnused, requireEmpty } from '../proof/emptiness.ts';
import type { EmptinessReceipt } from '../proof/receipt.ts';
import { BlockError } from '../errors.ts';
import { type Extent, largest, roundUp, smallestFit } from './extents.ts';
import { FdiskContext, type GptEntry } from './fdisk-context.ts';
import {
  announcePartition,
  announceSize,
  forgetPartition,
  requireKernelFree,
  requirePartitionable,
} from './kernel-table.ts';
import {
  type Partition,
  type PartitionTable,
  describePartition,
  describeTable,
  freeIn,
  hasTable,
} from './partition-table.ts';
import { type ConstructionMark, writeMarks } from '../content/construction-mark.ts';
import { patiently } from '../devices/patiently.ts';
import { changeTable, commit, consultTable, declareChange, openTable, withEntry } from './table-change.ts';
import { compareCopies } from './table-copies.ts';
import { changingBit, underConstructionBit } from './table-entry.ts';

export type PartitionOptions = { readonly signal?: AbortSignal };

export type ReadTableOptions = {
  /** How long one call on the device may take, from when it begins; as long as it takes unless given. */
  readonly deadlineMs?: number;
};

export type CreateTableOptions = PartitionOptions &
  MeantDisk & {
    readonly diskGuid?: string;
    /** The caller has wiped it right before, by its owner's wish: only both ends and signatures count. */
    readonly wiped?: boolean;
    /** Takes the proof that it rests on, before anything is written. */
    readonly onProof?: (receipt: EmptinessReceipt) => void;
  };

export type AddPartitionOptions = PartitionOptions &
  MeantDisk & {
    /** At most 36 UTF-16 code units. */
    readonly label: string;
    readonly typeGuid: string;
    readonly partitionGuid: string;
    /** Rounded up to a whole sector; `'rest'` takes the largest free range. */
    readonly sizeBytes: bigint | 'rest';
    /** What will be in it is being made; see {@link setUnderConstruction}. */
    readonly underConstruction: boolean;
    /** Is in the range before the entry exists, so that what is found in it later is known to be of this attempt. */
    readonly mark?: ConstructionMark;
    /** Is in the range from its beginning before the entry exists: at most 1 MiB, no longer than the partition. */
    readonly content?: Uint8Array;
  };

export type AnnounceOptions = PartitionOptions & {
  /** Only this one; all unless given. */
  readonly partitionGuid?: string;
  /** What is told to the kernel is about to go: a table that could not be changed then is refused now. */
  readonly toRemove?: boolean;
};

const edgeBytes = 1n << 20n;
const maxLabelLength = 36;

/**
 * Reads the GUID partition table of a disk or of a disk image in a file. Undefined: there is no table of any kind. A table
 * whose first copy is damaged is read from the second, and has `damage`; on a disk that has grown, the free ranges are those
 * after the next change, which moves the second copy to the new end.
 *
 * @throws {BlockError} `ERR_BLOCK_FOREIGN_TABLE`: another kind of table, or one that is damaged in both copies;
 *   `ERR_BLOCK_UNRESPONSIVE`: a call, or one of an earlier reading, does not return.
 */
export function read(path: string, options: ReadTableOptions = {}): Promise<PartitionTable | undefined> {
  const calls = callsWithin(options.deadlineMs);
  return patiently(path, calls, async () => {
    await using device = await DeviceFile.open(path, { calls });
    await using context = await FdiskContext.open(device);
    if (!(await hasTable(device, context))) return undefined;
    const copies = await compareCopies(device);
    const damage = copies.state === 'damaged' ? { damage: copies.reasons } : {};
    return { ...describeTable(device, context), ...damage };
  });
}

/**
 * Makes an empty GUID partition table on a device that is proven empty. When it resolves, both copies are on the medium.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_EMPTY` with every reason, `ERR_BLOCK_NOT_FOUND`: it is another disk; nothing was written
 *   then.
 */
export function create(path: string, options: CreateTableOptions = {}): Promise<PartitionTable> {
  const { diskGuid, signal } = options;
  return withDiskLock(
    path,
    async () => {
      await using device = await openUnused(path, { write: true });
      requireSequence(device, options);
      requirePartitionable(device);
      const depth = options.wiped === true ? 'ends' : 'all';
      const receipt = await requireEmpty(device, { signal, depth }); // also where nobody takes the receipt
      options.onProof?.(receipt);
      await using context = await FdiskContext.open(device);
      context.create(diskGuid);
      return await commit(device, context, []); // awaited: what it uses is closed at the end of this block
    },
    options,
  );
}

/**
 * Adds a partition under the lowest unused number, in the smallest free range that holds it. No other entry is moved or
 * renumbered. The first and the last MiB of its range are zeroed before the entry exists, so that nothing old comes to
 * light in it. When it resolves, the table is on the medium and the partition's node is there.
 *
 * @throws {BlockError} `ERR_BLOCK_NO_SPACE`, `ERR_BLOCK_FOREIGN_TABLE`, `ERR_BLOCK_BUSY`, `ERR_BLOCK_NOT_FOUND` (no table, or another
 *   disk).
 */
export function add(path: string, options: AddPartitionOptions): Promise<Partition> {
  if (options.label.length > maxLabelLength) {
    throw new RangeError(`a partition label has at most ${maxLabelLength} characters: ${options.label}`);
  }
  if (options.content !== undefined && options.content.length > edgeBytes)
    throw new RangeError(`a partition begins with at most 1 MiB, not with ${options.content.length} bytes`);
  return changeTable(path, options, async (device, context) => {
    const entry = place(device, context, options);
    const attributes = options.underConstruction ? underConstructionBit : 0n;
    const partition = describePartition(device, { ...entry, attributes });
    requireKernelFree(device, partition);
    const { offset, size } = partition;
    if (BigInt(options.content?.length ?? 0) > size)
      throw new RangeError(`a partition of ${size} bytes does not begin with ${options.content?.length}`);
    await device.zero(offset, size < edgeBytes ? size : edgeBytes);
    if (size > edgeBytes) await device.zero(offset + size - edgeBytes, edgeBytes);
    if (options.mark !== undefined) await writeMarks(device, { offset, size }, options.mark);
    if (options.content !== undefined) await device.write(offset, options.content);
    await device.sync(); // or a power cut could keep the entry and lose the zeros
    options.signal?.throwIfAborted();
    const entries = withEntry(context.entries(), entry);
    context.add(entry);
    await commit(device, context, entries);
    if (!options.underConstruction) await setAttributes(device, entry, 0n);
    await announcePartition(device, partition, options.signal);
    return partition;
  });
}

/**
 * Sets or clears the mark on a partition whose content nodecore is making: a type-specific attribute bit. While it is
 * set, a crash leaves nothing that anybody could miss. On the medium when it resolves; the partition may be in use.
 */
export function setUnderConstruction(
  path: string,
  partitionGuid: string,
  value: boolean,
  options: PartitionOptions = {},
): Promise<void> {
  return changeTable(path, options, async (device, context) => {
    const entry = find(device, context, partitionGuid);
    const rest = entry.attributes & ~underConstructionBit;
    const changed = { ...entry, attributes: value ? rest | underConstructionBit : rest };
    const entries = withEntry(context.entries(), changed);
    // Written even when it reads as wanted: an interrupted change may have reached one copy only.
    context.setAttributes(changed.index, changed.attributes);
    await commit(device, context, entries);
  });
}

/**
 * Makes a partition larger, into the free range directly behind it. It may be in use; what is in it stays as it is.
 *
 * @throws {BlockError} `ERR_BLOCK_NO_SPACE`.
 */
export function grow(
  path: string,
  partitionGuid: string,
  newSizeBytes: bigint,
  options: PartitionOptions = {},
): Promise<Partition> {
  return changeTable(path, options, async (device, context) => {
    const entry = find(device, context, partitionGuid);
    const sectors = sectorsOf(device, newSizeBytes);
    if (sectors < entry.sectors) throw new RangeError(`a partition does not grow to ${newSizeBytes} bytes`);
    const behind = context.entries().filter(({ firstLba }) => firstLba > entry.firstLba);
    const limit = behind.reduce(
      (least, { firstLba }) => (firstLba < least ? firstLba : least),
      context.lastUsableLba + 1n,
    );
    if (entry.firstLba + sectors > limit) throw noSpace(device, newSizeBytes);
    const grown = { ...entry, sectors, attributes: entry.attributes & ~changingBit };
    await using declared = await declareChange(device, entry);
    const entries = withEntry(declared.entries(), grown);
    declared.resize(entry.index, sectors);
    declared.setAttributes(entry.index, grown.attributes);
    await commit(device, declared, entries);
    const partition = describePartition(device, grown);
    await announceSize(device, partition);
    return partition;
  });
}

/**
 * Tells the kernel about partitions of the table that it does not know yet, or has smaller: what a crash between the writing
 * of the table and the announcement leaves behind. When it resolves, the nodes of these stand for exactly what the table says.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY`: the kernel has another partition of that number; `ERR_BLOCK_NOT_FOUND`: no such entry.
 */
export function announce(path: string, options: AnnounceOptions = {}): Promise<readonly Partition[]> {
  const { partitionGuid, toRemove = false } = options;
  const withTable = toRemove ? changeTable : consultTable;
  return withTable(path, options, async (device, context) => {
    const entries = partitionGuid === undefined ? context.entries() : [find(device, context, partitionGuid)];
    const partitions = entries.map((entry) => describePartition(device, entry));
    for (const partition of partitions) await announcePartition(device, partition, options.signal);
    return partitions;
  });
}

/**
 * Takes a partition out of the table. Its bytes stay where they are: who wants them gone wipes them first. No other entry
 * is moved or renumbered. The kernel forgets it before the table does, so one that is in use stays.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY`, `ERR_BLOCK_NOT_FOUND`; nothing was written then.
 */
export function remove(path: string, partitionGuid: string, options: PartitionOptions = {}): Promise<void> {
  return changeTable(path, options, async (device, context) => {
    const entry = find(device, context, partitionGuid);
    await forgetPartition(device, describePartition(device, entry));
    await using declared = await declareChange(device, entry);
    const entries = declared.entries().filter(({ index }) => index !== entry.index);
    declared.remove(entry.index);
    await commit(device, declared, entries);
  });
}

/** The size of the largest partition that can be added, in bytes. */
export function largestFree(table: PartitionTable): bigint {
  return table.free.reduce((most, { size }) => (size > most ? size : most), 0n);
}

/** Where a new entry goes. */
function place(device: DeviceFile, context: FdiskContext, options: AddPartitionOptions): GptEntry {
  const entries = context.entries();
  const partitionGuid = options.partitionGuid.toLowerCase();
  if (entries.some((entry) => entry.partitionGuid === partitionGuid)) {
    throw new BlockError(
      'ERR_BLOCK_FAILED',
      device.path,
      `${device.path} has a partition ${partitionGuid} already`,
    );
  }
  const index = lowestUnused(entries);
  const extent =
    index > context.capacity ? undefined : fit(device, freeIn(device, context), options.sizeBytes);
  if (extent === undefined) throw noSpace(device, options.sizeBytes);
  return {
    ...extent,
    index,
    partitionGuid,
    typeGuid: options.typeGuid.toLowerCase(),
    label: options.label,
    attributes: options.underConstruction ? underConstructionBit : changingBit,
  };
}

function fit(device: DeviceFile, free: readonly Extent[], sizeBytes: bigint | 'rest'): Extent | undefined {
  if (sizeBytes === 'rest') return largest(free);
  const sectors = sectorsOf(device, sizeBytes);
  const extent = smallestFit(free, sectors);
  return extent === undefined ? undefined : { firstLba: extent.firstLba, sectors };
}

function sectorsOf(device: DeviceFile, sizeBytes: bigint): bigint {
  if (sizeBytes <= 0n) throw new RangeError(`a partition has a size: ${sizeBytes}`);
  const sector = BigInt(device.sectorSize);
  return roundUp(sizeBytes, sector) / sector;
}

function lowestUnused(entries: readonly GptEntry[]): number {
  const used = new Set(entries.map((entry) => entry.index));
  let index = 1;
  while (used.has(index)) index += 1;
  return index;
}

async function setAttributes(device: DeviceFile, entry: GptEntry, attributes: bigint): Promise<void> {
  await using context = await openTable(device);
  context.setAttributes(entry.index, attributes);
  await commit(device, context, withEntry(context.entries(), { ...entry, attributes }));
}

function find(device: DeviceFile, context: FdiskContext, partitionGuid: string): GptEntry {
  const guid = partitionGuid.toLowerCase();
  const found = context.entries().find((entry) => entry.partitionGuid === guid);
  if (found !== undefined) return found;
  throw new BlockError('ERR_BLOCK_NOT_FOUND', device.path, `${device.path} has no partition ${guid}`);
}

function noSpace(device: DeviceFile, sizeBytes: bigint | 'rest'): BlockError {
  const wanted = sizeBytes === 'rest' ? 'a partition' : `${sizeBytes} bytes`;
  return new BlockError('ERR_BLOCK_NO_SPACE', device.path, `${device.path} has no free range for ${wanted}`);
}
