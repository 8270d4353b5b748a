import { randomUUID } from 'node:crypto';

import type { AddPartitionOptions, Disk, Partition } from '@nodecore/block';
import { efiPartitionSizeBytes } from '@nodecore/boot';
import { partitionType } from '@nodecore/image';
import { encodeMeta, metaSizeBytes, type MetaValues } from '@nodecore/meta';

import type { DiskContent } from './disk-content.ts';
import type { InstallDisks, WriteOptions } from './disks.ts';
import { efiMark, efiPartition, type InstalledFiles } from './layout.ts';

export type DiskWork = {
  readonly disks: InstallDisks;
  readonly files: InstalledFiles;
  readonly meta: MetaValues;
  readonly signal?: AbortSignal | undefined;
  /** Called before what was written is read back, and before the disk becomes a system disk. */
  readonly step: (step: 'wipe' | 'write' | 'prove' | 'switch') => void;
  readonly progress: WriteOptions['progress'];
};

/**
 * Makes a disk the system disk. Whatever it is cut off by, the disk has a system that starts, or it has no META: then the next
 * installation finds it empty, or begun by one, and begins anew. META is made last, in one step with its values.
 *
 * @returns the boot partition.
 */
export async function writeDisk(
  { devPath, sequence, sectorSize }: Disk,
  content: DiskContent,
  { disks, files, meta, signal, step, progress }: DiskWork,
): Promise<Partition> {
  if (content.kind === 'occupied') {
    step('wipe');
    await disks.wipe(devPath, sequence);
  }
  step('write');
  if (content.kind !== 'begun')
    await disks.createTable(devPath, { sequence, wiped: content.kind === 'occupied' });
  const common = { sequence, ...(signal && { signal }) };
  const sizeBytes = BigInt(efiPartitionSizeBytes(files.uki.size));
  const efi =
    (await begunPartition(devPath, content, sizeBytes, disks)) ??
    (await addEfi(devPath, { ...common, sizeBytes }, disks));
  const { partitionGuid } = efi;
  const mark = efiMark(partitionGuid);
  const view = efiPartition(files, { partitionGuid, sizeBytes: Number(efi.size), sectorSize });
  await disks.write(devPath, efi, view, { signal, progress });
  step('prove');
  await disks.compare(devPath, efi, view, signal);
  step('switch');
  const [record] = encodeMeta(meta);
  await disks.add(devPath, {
    ...common,
    label: 'META',
    typeGuid: partitionType.linux,
    partitionGuid: randomUUID(),
    sizeBytes: BigInt(metaSizeBytes),
    underConstruction: false,
    ...(record && { content: record.bytes }),
  });
  // From here on it is the system disk, whatever becomes of the marks.
  await disks.finish(devPath, efi, mark);
  return efi;
}

/** What is left of an attempt, when it fits: nobody has to let go of it then. Otherwise it goes. */
async function begunPartition(
  devPath: string,
  content: DiskContent,
  sizeBytes: bigint,
  disks: InstallDisks,
): Promise<Partition | undefined> {
  if (content.kind !== 'begun') return undefined;
  const [first, ...others] = content.partitions;
  if (first !== undefined && others.length === 0 && first.size === sizeBytes) return first;
  for (const { partitionGuid } of content.partitions) await disks.remove(devPath, partitionGuid);
  return undefined;
}

function addEfi(
  devPath: string,
  options: Pick<AddPartitionOptions, 'sequence' | 'signal' | 'sizeBytes'>,
  disks: InstallDisks,
): Promise<Partition> {
  const partitionGuid = randomUUID();
  return disks.add(devPath, {
    ...options,
    label: 'EFI',
    typeGuid: partitionType.efi,
    partitionGuid,
    underConstruction: true,
    mark: efiMark(partitionGuid),
  });
}
