import type { Inventory } from '@nodecore/block';

/** The id of the disk that the system was installed on: the only one with a partition labelled META. */
export function findSystemDisk(inventory: Inventory): string | undefined {
  const disks = new Set(
    inventory.volumes
      .filter((volume) => volume.type === 'partition' && volume.partitionLabel === 'META')
      .map((volume) => volume.parent),
  );
  return disks.size === 1 ? [...disks][0] : undefined; // two system disks are no system disk
}
