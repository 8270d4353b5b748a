import { type Disk, type Inventory, type PartitionTable, partitions } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';

import { consentOf, keptBy } from './consent.ts';
import type { Candidate } from '../facts/facts.ts';
import type { DeviceReader } from './device-reader.ts';
import type { VolumeSpec } from '../spec.ts';

type Disks = { readonly inventory: Inventory; readonly systemDisk: string | undefined };

/** How much of a disk a volume may take, and whether something must be erased for it. */
export type DiskRoom = Pick<Candidate, 'free' | 'refusal' | 'erase'>;

/** What a new table costs: its two copies, and the alignment of the first partition. */
const tableOverhead = 2n * 1024n * 1024n;

/** Reads a disk; the caller has it alone, so that nothing changes it meanwhile. */
export async function roomOn(
  spec: VolumeSpec,
  disk: Disk,
  ground: Disks,
  reader: DeviceReader,
): Promise<DiskRoom> {
  const isPartition = spec.type === 'partition';
  const table: TableOn = isPartition ? await tableOn(disk, reader) : {};
  if (table.sound !== undefined) return { free: partitions.largestFree(table.sound) };
  const refusal = table.refusal ?? (await reader.occupied(disk.devPath))?.join(', ');
  const least = isPartition ? tableOverhead : 0n;
  const free = disk.size > least ? disk.size - least : 0n;
  if (refusal === undefined) return { free };
  const consent = consentOf(spec, disk, { disks: ground.inventory.disks, systemDisk: ground.systemDisk });
  if (consent === 'none') return { free: 0n, refusal };
  const kept = consent === 'given' ? await keptFromErasing(disk, reader) : consent.refused;
  if (kept !== undefined) return { free: 0n, refusal: `${refusal}; ${kept}` };
  return { free, erase: refusal };
}

async function keptFromErasing(disk: Disk, reader: DeviceReader): Promise<string | undefined> {
  const { any } = await tableOn(disk, reader);
  const kept = any === undefined ? undefined : keptBy(any);
  return kept ?? (await reader.usedBecause(disk));
}

type TableOn = {
  readonly any?: PartitionTable;
  /** One that partitions can be added to. */
  readonly sound?: PartitionTable;
  /** Of a disk that has a table which is not ours to change. */
  readonly refusal?: string;
};

async function tableOn(disk: Disk, reader: DeviceReader): Promise<TableOn> {
  try {
    const any = await reader.table(disk.devPath);
    if (any === undefined) return {};
    return any.damage === undefined ? { any, sound: any } : { any, refusal: unequal(any.damage) };
  } catch (error) {
    if (codeOf(error) !== 'ERR_BLOCK_FOREIGN_TABLE' || !(error instanceof Error)) throw error;
    return { refusal: error.message };
  }
}

function unequal(damage: readonly string[]): string {
  return `nothing is written to its partition table: ${damage.join(', ')}; compare its copies with sgdisk -v`;
}
