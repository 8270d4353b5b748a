import { access, readFile } from 'node:fs/promises';

import { type Inventory, partitions } from '@nodecore/block';
import { bootArguments, type EntryName, parseEntryName } from '@nodecore/boot';
import { readVariable } from '@nodecore/efi';
import { findSystemDisk } from '@nodecore/volumes';

import { kernelArguments } from '../image/kernel-arguments.ts';
import { UpgradeError } from './errors.ts';
import type { BootPlace } from './firmware-option.ts';

/** systemd's boot loader interface. */
const loader = '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f';

/** What has started the entry. */
export type BootLoader = 'systemd-boot' | 'grub';

/** The partition that has its entries, by its label. */
const labels: Readonly<Record<BootLoader, string>> = { 'systemd-boot': 'EFI', grub: 'BOOT' };

/** What the boot loader has said of this boot. */
export type LoaderFacts = {
  readonly loader: BootLoader;
  /** The entry that it has started; undefined without such a boot loader. */
  readonly selected: EntryName | undefined;
  /** The partition that it was started from, in lower case. */
  readonly partitionUuid: string | undefined;
};

/** Where it is said; other places in tests. */
export type LoaderPlaces = {
  /** Is there on a machine with UEFI, and on no other. */
  readonly firmware: string;
  /** Of efivarfs. */
  readonly root?: string;
  readonly commandLine: string;
};

const machinePlaces: LoaderPlaces = { firmware: '/sys/firmware/efi', commandLine: '/proc/cmdline' };

/** Whether the machine was started by UEFI. @param path of what is there then; another one in tests. */
export async function hasUefi(path: string = '/sys/firmware/efi'): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

/** Reads it: from the variables of the firmware, or where there is none from what GRUB has told the kernel. */
export async function loaderFacts(places: LoaderPlaces = machinePlaces): Promise<LoaderFacts> {
  const words = kernelArguments(await readFile(places.commandLine, 'utf8'));
  // A word that somebody gave the kernel of a machine with UEFI means nothing.
  if (words.has(bootArguments.entry) && !(await hasUefi(places.firmware)))
    return facts('grub', words.get(bootArguments.entry), words.get(bootArguments.partition));
  const { root } = places;
  const text = async (name: string): Promise<string | undefined> => {
    const variable = { name, vendor: loader, ...(root === undefined ? {} : { root }) };
    const value = (await readVariable(variable))?.value;
    return value?.toString('utf16le').replace(/\0+$/u, '');
  };
  const [selected, partitionUuid] = await Promise.all([
    text('LoaderEntrySelected'),
    text('LoaderDevicePartUUID'),
  ]);
  return facts('systemd-boot', selected, partitionUuid);
}

function facts(by: BootLoader, selected: string | undefined, partitionUuid: string | undefined): LoaderFacts {
  return {
    loader: by,
    selected: selected === undefined ? undefined : parseEntryName(selected),
    // Where GRUB could not tell there is nothing behind the `=`.
    partitionUuid: partitionUuid === '' ? undefined : partitionUuid?.toLowerCase(),
  };
}

/**
 * The partition with the entries on the system disk: the one that this system was started from.
 *
 * @returns its device.
 * @throws {UpgradeError} `ERR_UPGRADE_NOT_INSTALLED` when there is none, or when the firmware was started from another one.
 */
export function findBootPartition(
  inventory: Inventory,
  { partitionUuid, loader: by }: Pick<LoaderFacts, 'partitionUuid' | 'loader'>,
): string {
  const disk = findSystemDisk(inventory);
  const partition = inventory.volumes.find(
    ({ type, parent, partitionLabel, name }) =>
      type === 'partition' && parent === disk && partitionLabel === labels[by] && name === 'vfat',
  );
  if (disk === undefined || partition === undefined)
    throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'machine is not installed');
  const own = partition.partitionUuid.toLowerCase();
  if (partitionUuid !== undefined && partitionUuid !== own)
    throw new UpgradeError(
      'ERR_UPGRADE_NOT_INSTALLED',
      `this system was started from the partition ${partitionUuid}, and not from ${partition.devPath} (${own}): machine is not installed`,
    );
  return partition.devPath;
}

/**
 * Where a partition is on its disk, as the firmware wants to know it.
 *
 * @param device of the partition.
 * @throws {UpgradeError} `ERR_UPGRADE_NOT_INSTALLED` when its disk is gone, or its table has it no more.
 */
export async function bootPlace(inventory: Inventory | undefined, device: string): Promise<BootPlace> {
  const parent = inventory?.volumes.find(({ devPath }) => devPath === device)?.parent;
  const disk = inventory?.disks.find(({ id }) => id === parent);
  const table = disk && (await partitions.read(disk.devPath));
  const partition = table?.partitions.find(({ devPath }) => devPath === device);
  if (table !== undefined && partition !== undefined) return { partition, sectorSize: table.sectorSize };
  throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', `no table of a disk has ${device}`);
}
