import { createHash } from 'node:crypto';

import type { DiscoveredVolume, Disk, Inventory } from '@nodecore/block';
import { filesystemLabel, findSystemDisk, type VolumeStatus } from '@nodecore/volumes';

import { bootLabels } from '../installs/layout.ts';
import { WipeError } from './errors.ts';
import type { StorageFacts } from '../volumes/storage-facts.ts';

/** A disk or partition that may be wiped. */
export type WipeTarget = {
  readonly volume: DiscoveredVolume;
  readonly disk: Disk;
  /** The same as long as this is the same device with the same content, whatever the kernel calls it. */
  readonly identity: string;
};

/** Of a request. */
export type WipeNames = {
  readonly devices: readonly string[];
  /** Identities that were shown for them, in their order; none: whatever has the names now. */
  readonly identities?: readonly string[];
  readonly dropPartition: boolean;
};

/**
 * The devices of a request, when nothing stands against any of them.
 *
 * @throws {WipeError} for the first that can't be: it is not there, is no disk or partition, is read-only or optical, is part
 *   of another device, belongs to a volume or to the system, in this order.
 */
export function chooseTargets(
  { devices: names, identities = [], dropPartition }: WipeNames,
  ground: StorageFacts,
): readonly WipeTarget[] {
  requireNames(names);
  if (identities.length > 0 && identities.length !== names.length)
    throw new WipeError('ERR_WIPE_REQUEST', 'there are not as many identities as devices');
  return names.map((name, index) => {
    const target = findTarget(name, ground);
    if (dropPartition) requireEntry(target, ground);
    const expected = identities[index];
    if (expected !== undefined && expected !== target.identity) {
      const message = `${name} is not the device any more that was shown, or holds something else: look again`;
      throw new WipeError('ERR_WIPE_REFUSED', message);
    }
    const why = writeProblem(target) ?? stackProblem(target, ground) ?? useProblem(target, ground);
    if (why !== undefined) throw new WipeError('ERR_WIPE_REFUSED', `${name} ${why}`);
    return target;
  });
}

/** @throws {WipeError} `ERR_WIPE_REQUEST` when nothing is named, or something twice. */
export function requireNames(names: readonly string[]): void {
  if (names.length === 0) throw new WipeError('ERR_WIPE_REQUEST', 'nothing is named');
  if (new Set(names).size < names.length) throw new WipeError('ERR_WIPE_REQUEST', 'something is named twice');
}

function findTarget(name: string, { inventory }: StorageFacts): WipeTarget {
  if (name.includes('/')) {
    const message = `${name} is a path: name the device as the kernel does, like nvme0n1`;
    throw new WipeError('ERR_WIPE_REQUEST', message);
  }
  const volume = inventory.volumes.find(({ id }) => id === name);
  const parent = volume?.type === 'partition' ? volume.parent : name;
  const disk = inventory.disks.find(({ id }) => id === parent);
  if (volume === undefined || disk === undefined)
    throw new WipeError('ERR_WIPE_NOT_FOUND', `there is no disk or partition ${name}`);
  return { volume, disk, identity: identityOf(volume, disk) };
}

function identityOf({ offset, size, partitionUuid, name, uuid }: DiscoveredVolume, disk: Disk): string {
  const { sequence, wwid, serial, busPath } = disk;
  const facts = [sequence, wwid, serial, busPath, disk.size, offset, size, partitionUuid, name, uuid];
  return createHash('sha256').update(facts.join('\n')).digest('hex');
}

/** Checked before anything is wiped: only entries of GPT can be dropped. */
function requireEntry(
  { volume: { id, type, parent, partitionUuid } }: WipeTarget,
  { inventory }: StorageFacts,
): void {
  if (type !== 'partition')
    throw new WipeError('ERR_WIPE_REQUEST', `${id} is a disk, and has no entry in a table to drop`);
  const table = inventory.volumes.find((volume) => volume.id === parent)?.name ?? '';
  if (table !== 'gpt')
    throw new WipeError(
      'ERR_WIPE_REQUEST',
      `the table of ${parent} is not GPT, of which alone entries are dropped`,
    );
  if (partitionUuid === '')
    throw new WipeError(
      'ERR_WIPE_REFUSED',
      `${id} is not where the table of ${parent} has it: nobody knows which content its entry is about; reboot, and look again`,
    );
}

function writeProblem({ disk }: WipeTarget): string | undefined {
  if (disk.readonly) return 'is read-only';
  if (disk.cdrom) return 'is an optical drive';
  return disk.unresponsive === true ? 'does not answer' : undefined;
}

/** Whatever is stacked on it, or, for a disk, on one of its partitions. */
function stackProblem({ volume }: WipeTarget, { inventory }: StorageFacts): string | undefined {
  const parts = inventory.volumes.filter(({ id, parent }) => id === volume.id || parent === volume.id);
  const part = parts.find(({ holders }) => holders.length > 0);
  if (part !== undefined) return `is part of ${part.holders.join(' and ')}, which is stacked on ${part.id}`;
  const stack = inventory.disks.find(({ secondaryDisks }) => secondaryDisks.includes(volume.id));
  return stack === undefined ? undefined : `is part of ${stack.id}`;
}

function useProblem({ volume, disk }: WipeTarget, { inventory, statuses }: StorageFacts): string | undefined {
  const paths = new Set([volume.devPath]);
  if (disk.mapping !== undefined && volume.type === 'disk') paths.add(`/dev/mapper/${disk.mapping.name}`);
  const user = statuses.find(
    ({ phase, location, mountLocation, parentLocation }) =>
      phase !== 'closed' && [location, mountLocation, parentLocation].some((path) => paths.has(path ?? '')),
  );
  if (user !== undefined) return `is used by volume ${user.id}: take that out of the configuration first`;
  const owner = statuses.find((status) => isSoughtBy(status, volume, inventory));
  if (owner !== undefined) return `belongs to volume ${owner.id}: take that out of the configuration first`;
  if (disk.id !== findSystemDisk(inventory)) return undefined;
  if (volume.type === 'disk') return 'is the system disk';
  if (bootLabels.has(volume.partitionLabel)) return 'is what starts the machine';
  return volume.partitionLabel === 'META'
    ? 'is META, without which the node does not know its disk'
    : undefined;
}

/** Whether a volume that has found no place yet would know the device, or a partition of it, as its own. */
function isSoughtBy(
  { id, phase, location }: VolumeStatus,
  volume: DiscoveredVolume,
  all: Inventory,
): boolean {
  if (phase === 'closed' || location !== undefined) return false;
  const parts = all.volumes.filter((part) => part.id === volume.id || part.parent === volume.id);
  return parts.some(({ partitionLabel, name, label }) => {
    if (partitionLabel === id) return true;
    if (name === 'luks') return label === id;
    return isLabelled(name) && label === filesystemLabel(id, name);
  });
}

function isLabelled(name: string): name is Parameters<typeof filesystemLabel>[1] {
  return name === 'xfs' || name === 'ext4' || name === 'btrfs' || name === 'swap';
}
