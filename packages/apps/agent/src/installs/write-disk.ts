import { randomUUID } from 'node:crypto';

import type { AddPartitionOptions, Disk, Partition } from '@nodecore/block';
import { bootCode, diskCore, efiPartitionSizeBytes, type GrubPrograms } from '@nodecore/boot';
import { partitionType } from '@nodecore/image';
import { encodeMeta, metaSizeBytes, type MetaValues } from '@nodecore/meta';
import { View } from '@nodecore/view';

import type { DiskContent } from './disk-content.ts';
import type { InstallDisks, WriteOptions } from './disks.ts';
import {
  type BootLabel,
  bootPartition,
  bootPartitions,
  constructionMark,
  installedBiosBytes,
  type InstalledFiles,
} from './layout.ts';

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
  const wanted = { ...common, ...bootPartitions[files.loader.kind], sizeBytes };
  const boot =
    (await begunPartition(devPath, content, wanted, disks)) ?? (await addBegun(devPath, wanted, disks));
  const { partitionGuid } = boot;
  const view = await bootPartition(files, { partitionGuid, sizeBytes: Number(boot.size), sectorSize });
  await disks.write(devPath, boot, view, { signal, progress });
  const begun = [boot];
  if (files.loader.kind === 'grub') {
    const options = {
      ...common,
      label: 'BIOS',
      typeGuid: partitionType.bios,
      sizeBytes: installedBiosBytes,
    } as const;
    begun.push(await addBios(devPath, options, { disks, signal, programs: files.loader.programs }));
  }
  step('prove');
  await disks.compare(devPath, boot, view, signal);
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
  for (const partition of begun)
    await disks.finish(devPath, partition, constructionMark(partition.label, partition.partitionGuid));
  return boot;
}

type Begun = Pick<AddPartitionOptions, 'sequence' | 'signal' | 'sizeBytes' | 'typeGuid'> & {
  readonly label: BootLabel;
};

/** GRUB's core image in a partition of its own, and the code that loads it from there. */
async function addBios(
  devPath: string,
  options: Begun,
  { disks, signal, programs }: Pick<DiskWork, 'disks' | 'signal'> & { readonly programs: GrubPrograms },
): Promise<Partition> {
  const bios = await addBegun(devPath, options, disks);
  const offset = Number(bios.offset);
  const core = View.of(diskCore(programs, offset));
  await disks.write(devPath, bios, core, { signal, progress: () => {} });
  await disks.compare(devPath, bios, core, signal);
  await disks.writeBootCode(devPath, bootCode(programs, offset));
  return bios;
}

/** What is left of an attempt, when it fits: nobody has to let go of it then. Otherwise it goes. */
async function begunPartition(
  devPath: string,
  content: DiskContent,
  { label, sizeBytes }: Begun,
  disks: InstallDisks,
): Promise<Partition | undefined> {
  if (content.kind !== 'begun') return undefined;
  const [first, ...others] = content.partitions;
  const fits = first?.label === label && first.size === sizeBytes;
  // What it holds would be somebody's without its entry, were this cut off, too.
  for (const { partitionGuid } of fits ? others : content.partitions)
    await disks.remove(devPath, partitionGuid);
  return fits ? first : undefined;
}

function addBegun(devPath: string, options: Begun, disks: InstallDisks): Promise<Partition> {
  const partitionGuid = randomUUID();
  return disks.add(devPath, {
    ...options,
    partitionGuid,
    underConstruction: true,
    mark: constructionMark(options.label, partitionGuid),
  });
}
