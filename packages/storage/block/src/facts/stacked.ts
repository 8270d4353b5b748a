import { posix } from 'node:path';

import type { DiscoveredVolume, Disk, Mapping, RaidArray } from '../inventory.ts';
import type { Sysfs } from './sysfs.ts';

/** LVM's UUIDs are 32 characters, shown in these groups by its programs and by libblkid. */
const lvmGroups = /^(.{6})(.{4})(.{4})(.{4})(.{4})(.{4})(.{6})$/;

/** LVM joins the names of a group and a volume by one hyphen, and doubles those in the names. */
const lvmName = /^((?:[^-]|--)+)-((?:[^-]|--)+)$/;

/** What device-mapper says about one of its devices; undefined for any other. */
export function readMapping(sysfs: Sysfs, directory: string): Mapping | undefined {
  const name = sysfs.text(directory, 'dm', 'name');
  if (name === undefined) return undefined;
  const uuid = sysfs.text(directory, 'dm', 'uuid') ?? '';
  const maker = /^([^-]+)-/.exec(uuid)?.[1] ?? '';
  return { name, uuid, maker, ...logicalVolume(name, uuid) };
}

function logicalVolume(name: string, uuid: string): Pick<Mapping, 'lvm'> {
  const [, group = '', volume = ''] = /^LVM-(.{32})(.{32})$/.exec(uuid) ?? [];
  const [, groupName = '', volumeName = ''] = lvmName.exec(name) ?? [];
  if (group === '' || groupName === '') return {};
  return {
    lvm: {
      volumeGroup: unhyphened(groupName),
      volumeGroupUuid: inGroups(group),
      logicalVolume: unhyphened(volumeName),
      logicalVolumeUuid: inGroups(volume),
    },
  };
}

function unhyphened(name: string): string {
  return name.replaceAll('--', '-');
}

function inGroups(uuid: string): string {
  return uuid.replace(lvmGroups, '$1-$2-$3-$4-$5-$6-$7');
}

/** Names that LVM keeps for parts of its volumes; nobody else may use them (lvm(8), reserved names). */
const reserved = /_(?:[rm]image|rmeta|mlog|[tcv]data|[tc]meta|corig|cvol|vorigin|pmspare)(?:_\d+)?$/;

/**
 * Whether a device is a part of a logical volume, and not meant for users: pool metadata, mirror legs, origins of
 * snapshots. LVM marks some by a second hyphen in the UUID, `LVM-<ids>-<what>`, the others by their name only.
 */
export function isPrivateLvm(sysfs: Sysfs, directory: string): boolean {
  const uuid = sysfs.text(directory, 'dm', 'uuid') ?? '';
  if (!uuid.startsWith('LVM-')) return false;
  return /^LVM-[^-]+-./.test(uuid) || reserved.test(sysfs.text(directory, 'dm', 'name') ?? '');
}

/** What md says about an array; undefined for any other device. Its UUID stands on its members only. */
export function readArray(sysfs: Sysfs, directory: string): RaidArray | undefined {
  const level = sysfs.text(directory, 'md', 'level');
  if (level === undefined) return undefined;
  const text = (name: string): string => sysfs.text(directory, 'md', name) ?? '';
  const count = (name: string): number => Number(sysfs.number(directory, 'md', name) ?? 0n);
  return {
    level,
    metadata: text('metadata_version'),
    state: text('array_state'),
    members: count('raid_disks'),
    missing: count('degraded'),
    uuid: '',
  };
}

/** An array with the UUID that its members agree on. */
export function withArrayUuid(disk: Disk, volumes: readonly DiscoveredVolume[]): Disk {
  const { array, id } = disk;
  if (array === undefined) return disk;
  const uuids = new Set(
    volumes
      .filter(({ name, holders }) => name === 'linux_raid_member' && holders.includes(id))
      .map(({ uuid }) => uuid),
  );
  const [uuid = ''] = uuids;
  return uuids.size === 1 ? { ...disk, array: { ...array, uuid } } : disk;
}

/**
 * The disks below a stacked device. One that is a partition stands for its disk, and a device that LVM keeps for itself
 * for what is below it.
 */
export function secondaryDisks(sysfs: Sysfs, directory: string, secondaries: readonly string[]): string[] {
  const disks = secondaries.flatMap((slave) => {
    const path = sysfs.follow(`${directory}/slaves/${slave}`);
    if (path === undefined) return [slave];
    if (sysfs.text(path, 'partition') !== undefined) return [posix.basename(posix.dirname(path))];
    const hidden = slave.startsWith('dm-') && isPrivateLvm(sysfs, path);
    return hidden ? secondaryDisks(sysfs, path, sysfs.entries(path, 'slaves')) : [slave];
  });
  return [...new Set(disks)].sort();
}
