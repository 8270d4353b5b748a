import type { DiscoveredVolume, Disk, Inventory, PartitionTable } from '@nodecore/block';
import type { Selector, VolumeEnvironment } from '@nodecore/selector';

import type { Found } from '../facts/facts.ts';
import { isBeingMade, isRecorded, type IntentRecord } from '../intents/intent.ts';
import { answering, type DeviceReader } from './device-reader.ts';
import { asked } from '../disks/selector-answer.ts';
import type { VolumeSpec } from '../spec.ts';
import { isMultipath, isOnMultipath, isRaidMember, partOf, unfitMapping } from '../intents/stacked-disk.ts';

export type Scope = {
  readonly inventory: Inventory;
  readonly systemDisk: string | undefined;
  readonly record: IntentRecord | undefined;
  /** Whether a label is that of a volume of this node. */
  readonly isVolume: (label: string) => boolean;
};

/**
 * Every place that carries the volume: partitions by their label, whole disks by what is on them. The selector is
 * not asked: a volume stays itself when another disk comes to match.
 */
export function locate(spec: VolumeSpec, scope: Scope, reader: DeviceReader): Promise<readonly Found[]> {
  if (spec.volumes !== undefined) return Promise.resolve(locateExisting(spec.volumes, scope));
  return spec.type === 'partition'
    ? locatePartition(spec, scope, reader)
    : Promise.resolve(locateDisk(spec, scope));
}

/** Tables are read afresh: the inventory may be older than our own last write, and a second partition be made. */
async function locatePartition(
  spec: VolumeSpec,
  scope: Scope,
  reader: DeviceReader,
): Promise<readonly Found[]> {
  const disks = places(scope)
    .filter((disk) => spec.disks !== 'system-disk' || disk.id === scope.systemDisk)
    .filter((disk) => !isMultipath(disk)); // the kernel takes no partitions there
  const found = await Promise.all(
    disks.map(async (disk) => {
      const table = await reader.table(disk.devPath).catch(() => undefined); // no table of ours: no label of ours
      return labelled(spec, disk, table, scope.record);
    }),
  );
  return found.flat();
}

/**
 * Disks that may carry volumes. What an array or a multipath device is made of shows the same labels, and is not to be written
 * to beside it, also while it is not put together yet.
 */
function places({ inventory, record }: Pick<Scope, 'inventory' | 'record'>): readonly Disk[] {
  const onMultipath = record !== undefined && isOnMultipath(record.disk);
  return answering(inventory)
    .filter((disk) => unfitMapping(disk) === undefined && partOf(disk, inventory) === undefined)
    .filter((disk) => !isRaidMember(disk, inventory) && (!onMultipath || isMultipath(disk)));
}

function labelled(
  spec: VolumeSpec,
  disk: Disk,
  table: PartitionTable | undefined,
  record: IntentRecord | undefined,
): readonly Found[] {
  const partitions = table?.partitions.filter((partition) => partition.label === spec.id) ?? [];
  return partitions.map((partition) => ({
    disk,
    devPath: partition.devPath,
    size: partition.size,
    partition,
    recorded: isRecorded(partition, record),
  }));
}

function locateDisk(spec: VolumeSpec, { inventory, record }: Scope): readonly Found[] {
  return places({ inventory, record }).flatMap((disk) => {
    const content = inventory.volumes.find((volume) => volume.type === 'disk' && volume.id === disk.id);
    const uuid = content?.uuid ?? '';
    const recorded = record?.phase === 'done' && uuid !== '' && uuid === record.uuid;
    if (!recorded && !isBeingMade(disk, record) && !carries(spec, content)) return [];
    return [{ disk, devPath: disk.devPath, size: disk.size, recorded }];
  });
}

/**
 * The devices that carry the volume by what was discovered last, however many: nothing is read, so that a disk which hangs is
 * among them, too.
 */
export function carriersOf(spec: VolumeSpec, scope: Scope): readonly string[] {
  if (spec.volumes !== undefined) return locateExisting(spec.volumes, scope).map(({ devPath }) => devPath);
  const { inventory, record } = scope;
  const recorded = record?.phase === 'done' ? (record.uuid ?? '') : '';
  return inventory.volumes
    .filter(
      (one) =>
        one.partitionLabel === spec.id || carries(spec, one) || (recorded !== '' && one.uuid === recorded),
    )
    .map(({ devPath }) => devPath);
}

/** What matches, but for the volumes of this node, and for disks and partitions that cannot be read. */
export function locateExisting(
  selector: Selector<VolumeEnvironment>,
  { inventory, systemDisk, isVolume }: Pick<Scope, 'inventory' | 'systemDisk' | 'isVolume'>,
): readonly Found[] {
  const disks = new Map(answering(inventory).map((disk) => [disk.id, disk]));
  // Opened mappings of our volumes are disks, too.
  const ours = new Set(
    inventory.volumes.filter((one) => isOurs(one, isVolume)).flatMap((one) => one.holders),
  );
  return inventory.volumes.flatMap((volume) => {
    const disk = disks.get(volume.type === 'disk' ? volume.id : volume.parent);
    if (disk === undefined || volume.error !== undefined || isVolume(volume.partitionLabel)) return [];
    if (ours.has(disk.id) || partOf(disk, inventory) !== undefined) return [];
    const isSystemDisk = disk.id === systemDisk;
    if (!asked(() => selector.matches({ volume, disk, systemDisk: isSystemDisk })).matched) return [];
    const { devPath, size, uuid, partitionUuid } = volume;
    return [{ disk, devPath, size, recorded: false, existing: { uuid, partitionUuid } }];
  });
}

function isOurs(
  { partitionLabel, name, label }: DiscoveredVolume,
  isVolume: (label: string) => boolean,
): boolean {
  return isVolume(partitionLabel) || (name === 'luks' && isVolume(label));
}

function carries(
  spec: VolumeSpec,
  content: { readonly name: string; readonly label: string } | undefined,
): boolean {
  if (content === undefined || content.label === '') return false;
  if (content.name === 'luks') return content.label === spec.id;
  return content.name === spec.filesystem?.type && content.label === spec.filesystem.label;
}
