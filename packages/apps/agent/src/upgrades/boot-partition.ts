import { type Inventory, partitions } from '@nodecore/block';
import { type EntryName, parseEntryName } from '@nodecore/boot';
import { readVariable } from '@nodecore/efi';
import { findSystemDisk } from '@nodecore/volumes';

import { UpgradeError } from './errors.ts';
import type { BootPlace } from './firmware-option.ts';

/** systemd's boot loader interface. */
const loader = '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f';

/** What the boot loader has said of this boot. */
export type LoaderFacts = {
  /** The entry that it has started; undefined without such a boot loader. */
  readonly selected: EntryName | undefined;
  /** The partition that it was started from, in lower case. */
  readonly partitionUuid: string | undefined;
};

/** Reads it from the variables of the firmware. @param root of efivarfs; another one in tests. */
export async function loaderFacts(root?: string): Promise<LoaderFacts> {
  const text = async (name: string): Promise<string | undefined> => {
    const variable = { name, vendor: loader, ...(root === undefined ? {} : { root }) };
    const value = (await readVariable(variable))?.value;
    return value?.toString('utf16le').replace(/\0+$/u, '');
  };
  const [selected, partitionUuid] = await Promise.all([
    text('LoaderEntrySelected'),
    text('LoaderDevicePartUUID'),
  ]);
  return {
    selected: selected === undefined ? undefined : parseEntryName(selected),
    partitionUuid: partitionUuid?.toLowerCase(),
  };
}

/**
 * The EFI partition of the system disk: the one that this system was started from.
 *
 * @returns its device.
 * @throws {UpgradeError} `ERR_UPGRADE_NOT_INSTALLED` when there is none, or when the firmware was started from another one.
 */
export function findBootPartition(
  inventory: Inventory,
  { partitionUuid }: Pick<LoaderFacts, 'partitionUuid'>,
): string {
  const disk = findSystemDisk(inventory);
  const partition = inventory.volumes.find(
    ({ type, parent, partitionLabel, name }) =>
      type === 'partition' && parent === disk && partitionLabel === 'EFI' && name === 'vfat',
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
