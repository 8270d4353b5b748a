import type { DeviceFile } from '../devices/device-file.ts';
import { devPath } from '../facts/disk-facts.ts';
import { isInterruptedCreation } from '../proof/emptiness.ts';
import { BlockError } from '../errors.ts';
import { type Extent, endOf, firstOverlap, freeExtents } from './extents.ts';
import type { FdiskContext, GptEntry } from './fdisk-context.ts';
import { probe } from '../content/probe.ts';
import type { TableCopies } from './table-copies.ts';
import { underConstructionBit } from './table-entry.ts';

/** A partition of a GUID partition table; offsets and sizes are bytes. */
export type Partition = {
  /** From 1. */
  readonly index: number;
  readonly partitionGuid: string;
  readonly typeGuid: string;
  readonly label: string;
  readonly offset: bigint;
  readonly size: bigint;
  readonly attributes: bigint;
  /** What is in it is being made by nodecore: after a crash it may be made again. */
  readonly underConstruction: boolean;
  /** The node that the kernel gives it; `''` in a plain file. */
  readonly devPath: string;
};

export type PartitionTable = {
  readonly device: string;
  readonly diskGuid: string;
  readonly sectorSize: number;
  /** In the order of their numbers. */
  readonly partitions: readonly Partition[];
  /** Where new partitions may be, aligned, in the order of the disk. */
  readonly free: readonly { readonly offset: bigint; readonly size: bigint }[];
  /** Why the table is not changed: its two copies are not both valid and equal. Absent when they are. */
  readonly damage?: readonly string[];
};

const alignmentBytes = 1 << 20;

/** In logical sectors: 1 MiB, or `ioSize` of the device where that is larger. */
export function alignmentSectors(device: DeviceFile): bigint {
  return BigInt(Math.max(alignmentBytes, device.ioSize) / device.sectorSize);
}

/** Where partitions may still be. */
export function freeIn(device: DeviceFile, context: FdiskContext): Extent[] {
  return freeExtents(context.entries(), {
    firstUsableLba: context.firstUsableLba,
    lastUsableLba: context.lastUsableLba,
    alignmentSectors: alignmentSectors(device),
  });
}

/** The table in the context's memory, which may not be written yet. `damage` is not judged here. */
export function describeTable(device: DeviceFile, context: FdiskContext): PartitionTable {
  const bytes = BigInt(context.sectorSize);
  return {
    device: device.path,
    diskGuid: context.diskGuid,
    sectorSize: context.sectorSize,
    partitions: context.entries().map((entry) => describePartition(device, entry)),
    free: freeIn(device, context).map(({ firstLba, sectors }) => ({
      offset: firstLba * bytes,
      size: sectors * bytes,
    })),
  };
}

/** Turns the sectors of an entry into bytes; neither the kernel nor the node at `devPath` need know the partition. */
export function describePartition(device: DeviceFile, entry: GptEntry): Partition {
  const bytes = BigInt(device.sectorSize);
  const { index, partitionGuid, typeGuid, label, attributes } = entry;
  return {
    index,
    partitionGuid,
    typeGuid,
    label,
    offset: entry.firstLba * bytes,
    size: entry.sectors * bytes,
    attributes,
    underConstruction: (attributes & underConstructionBit) !== 0n,
    devPath: partitionNode(device, index),
  };
}

/** `sda2`, but `nvme0n1p2` and `loop0p2`: a digit would run into the number. */
function partitionNode({ kernel, sysfs }: DeviceFile, index: number): string {
  if (kernel === undefined) return '';
  const disk = devPath(sysfs, `block/${kernel.diskId}`, kernel.diskId);
  return /\d$/.test(disk) ? `${disk}p${index}` : `${disk}${index}`;
}

/** Whether there is a GUID table; any other table, and a damaged one, is an error. */
export async function hasTable(device: DeviceFile, context: FdiskContext): Promise<boolean> {
  const { kind } = context;
  if (kind === 'gpt') return true;
  if (kind !== 'none') throw foreign(device, [`it has a partition table of type ${kind}`]);
  const { signatures } = await probe(device.path, { deadlineMs: device.calls?.deadlineMs });
  const tables = signatures.filter(({ usage }) => usage === 'partition-table');
  if (tables.length === 0 || (await isInterruptedCreation(device))) return false;
  throw foreign(
    device,
    tables.map(
      ({ type, offset }) => `it has a damaged or unknown partition table: ${type} at byte ${offset}`,
    ),
  );
}

/** @throws {BlockError} `ERR_BLOCK_FOREIGN_TABLE` when a change could lose something that we don't understand. */
export async function requireChangeable(device: DeviceFile, context: FdiskContext): Promise<void> {
  const reasons: string[] = [];
  if (context.isHybrid) reasons.push('its protective MBR has partitions of its own');
  const { signatures } = await probe(device.path);
  for (const { type, usage, offset } of signatures) {
    if (usage !== 'partition-table')
      reasons.push(`beside the table it has a signature of ${type} at byte ${offset}`);
    else if (type !== 'gpt') reasons.push(`it also has a partition table of type ${type}`);
  }
  const entries = context.entries();
  for (const entry of entries) {
    if (entry.firstLba < context.firstUsableLba || endOf(entry) > context.lastUsableLba + 1n) {
      reasons.push(`partition ${entry.index} lies outside the usable range`);
    }
  }
  const overlap = firstOverlap(entries);
  if (overlap !== undefined) reasons.push(`partitions ${overlap[0].index} and ${overlap[1].index} overlap`);
  if (reasons.length > 0) throw foreign(device, reasons);
}

function foreign(device: DeviceFile, reasons: readonly string[]): BlockError {
  const message = `${device.path}: the partition table is not ours to change: ${reasons.join('; ')}`;
  return new BlockError('ERR_BLOCK_FOREIGN_TABLE', device.path, message, { reasons });
}

/** @throws {BlockError} `ERR_BLOCK_TABLE_DAMAGED` unless both copies say the same, or will once a change of ours is completed. */
export function requireEqualCopies(device: DeviceFile, copies: TableCopies): void {
  if (copies.state !== 'damaged') return;
  const { reasons } = copies;
  const { path } = device;
  const message =
    `${path}: nothing is written to its partition table: ${reasons.join('; ')}. Compare both copies ` +
    `(sgdisk -v ${path}) and repair the table: sgdisk -e ${path} writes the second from the first, gdisk the first from the second`;
  throw new BlockError('ERR_BLOCK_TABLE_DAMAGED', path, message, { reasons });
}
