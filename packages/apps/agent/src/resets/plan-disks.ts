import type { Disk, Inventory } from '@nodecore/block';
import { findSystemDisk, identityOf, isLasting, mappingName } from '@nodecore/volumes';

import { ResetError } from './errors.ts';
import type { StorageFacts } from '../volumes/storage-facts.ts';

/** The disks of users that are named, when nothing stands against wiping them. @throws {ResetError} */
export function chooseDisks(names: readonly string[], ground: StorageFacts): readonly Disk[] {
  return names.map((name) => {
    const disk = findDisk(name, ground.inventory);
    const why = problemOf(disk, ground);
    if (why !== undefined) throw new ResetError('ERR_RESET_REFUSED', `${disk.id} ${why}`);
    return disk;
  });
}

function findDisk(name: string, { disks, volumes }: Inventory): Disk {
  const id = name.replace(/^\/dev\//, '');
  const disk = disks.find((each) => each.id === id);
  if (disk !== undefined) return disk;
  const isPartition = volumes.some((volume) => volume.id === id);
  if (!isPartition) throw new ResetError('ERR_RESET_NOT_FOUND', `there is no disk ${name}`);
  throw new ResetError('ERR_RESET_REQUEST', `${name} is a partition: name its disk, or use osctl wipe disk`);
}

function problemOf(disk: Disk, { inventory, statuses }: StorageFacts): string | undefined {
  if (disk.id === findSystemDisk(inventory)) return 'is the system disk: name labels of it';
  if (disk.readonly) return 'is read-only';
  if (disk.cdrom) return 'is an optical drive';
  if (disk.unresponsive === true) return 'does not answer';
  if (!isLasting(identityOf(disk)))
    return 'has no name that lasts, and after a crash another one may be in its place: see osctl wipe disk';
  const parts = inventory.volumes.filter(({ id, parent }) => id === disk.id || parent === disk.id);
  const ours = new Set(statuses.map(({ id }) => mappingName(id)));
  const stacked = parts
    .flatMap(({ holders }) => holders)
    .find((holder) => {
      const above = inventory.disks.find(({ id }) => id === holder);
      return above?.mapping === undefined || !ours.has(above.mapping.name);
    });
  return stacked === undefined ? undefined : `is part of ${stacked}: take that apart first`;
}
