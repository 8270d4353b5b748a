import type { Disk, Inventory } from '@nodecore/block';
import type { DiskEnvironment, Selector } from '@nodecore/selector';

import { InstallError } from './errors.ts';

/** What is known of the machine when a disk is chosen. */
export type DiskScene = {
  readonly inventory: Inventory;
  /** The partition that the boot loader was started from, in lower case: its disk is the boot medium. */
  readonly bootedFrom: string | undefined;
};

/**
 * The one disk that a selector matches.
 *
 * @returns undefined when none does; it may still appear.
 * @throws {InstallError} `ERR_INSTALL_AMBIGUOUS`: the first of several would be a guess; `ERR_INSTALL_REQUEST`: the expression fails.
 */
export function chooseDisk(selector: Selector<DiskEnvironment>, scene: DiskScene): Disk | undefined {
  const matching = scene.inventory.disks
    .filter((disk) => unfitBecause(disk, scene) === undefined)
    .filter((disk) => {
      const { matched, error } = selector.matches({ disk, systemDisk: false });
      if (error === undefined) return matched;
      throw new InstallError('ERR_INSTALL_REQUEST', `the disk selector fails on ${disk.id}: ${error}`);
    });
  const [disk, ...others] = matching;
  if (others.length === 0) return disk;
  const names = matching.map(({ id, serial }) => (serial === '' ? id : `${id} (${serial})`)).toSorted();
  throw new InstallError(
    'ERR_INSTALL_AMBIGUOUS',
    `the disk selector matches ${names.join(', ')}: it must match one disk`,
  );
}

/**
 * The disk of a path: of its device, or one of the links that name it.
 *
 * @throws {InstallError} `ERR_INSTALL_DISK` for none, and for one that no system can be on; `ERR_INSTALL_REQUEST` for a partition.
 */
export function findDisk(path: string, scene: DiskScene): Disk {
  const { disks, volumes } = scene.inventory;
  const named = path.startsWith('/') ? path : `/dev/${path}`;
  const isNamed = (each: { readonly devPath: string; readonly symlinks: readonly string[] }): boolean =>
    each.devPath === named || each.symlinks.includes(named);
  const disk = disks.find(isNamed);
  if (disk === undefined) {
    if (volumes.some(isNamed))
      throw new InstallError('ERR_INSTALL_REQUEST', `${path} is a partition: name its disk`);
    throw new InstallError('ERR_INSTALL_DISK', `there is no disk ${path}`);
  }
  const unfit = unfitBecause(disk, scene);
  if (unfit === undefined) return disk;
  throw new InstallError('ERR_INSTALL_DISK', `${disk.devPath} ${unfit}`);
}

/** What keeps a system from being installed on a disk, whatever is on it. */
function unfitBecause(disk: Disk, { inventory, bootedFrom }: DiskScene): string | undefined {
  if (disk.cdrom) return 'is an optical drive';
  if (disk.readonly) return 'is read-only';
  if (disk.unresponsive === true) return 'does not answer';
  if (disk.mapping !== undefined || disk.array !== undefined)
    return 'is no disk of its own: firmware starts from none like it';
  const parts = inventory.volumes.filter(({ id, parent }) => id === disk.id || parent === disk.id);
  const holder = parts.flatMap(({ holders }) => holders)[0];
  if (holder !== undefined) return `is a part of ${holder}`;
  const isMedium =
    bootedFrom !== undefined && parts.some(({ partitionUuid }) => partitionUuid.toLowerCase() === bootedFrom);
  return isMedium ? 'is what this system was started from' : undefined;
}
