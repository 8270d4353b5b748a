import type { Disk, DiscoveredVolume, Inventory } from '@nodecore/block';
import { prettySize } from '@nodecore/selector';
import type { Json } from '@nodecore/state';

/** A disk as the spec of a `Disks` resource. */
export function diskSpec(disk: Disk): Json {
  return {
    dev_path: disk.devPath,
    size: disk.size,
    pretty_size: prettySize(disk.size),
    io_size: disk.ioSize,
    sector_size: disk.sectorSize,
    readonly: disk.readonly,
    cdrom: disk.cdrom,
    model: disk.model,
    firmware_version: disk.firmwareVersion,
    serial: disk.serial,
    modalias: disk.modalias,
    wwid: disk.wwid,
    uuid: disk.uuid,
    bus_path: disk.busPath,
    sub_system: disk.subSystem,
    transport: disk.transport,
    rotational: disk.rotational,
    secondary_disks: disk.secondaryDisks,
    symlinks: disk.symlinks,
    ...stackSpec(disk),
    ...(disk.error !== undefined && { error: disk.error }),
    ...(disk.unresponsive === true && { unresponsive: true }),
  };
}

/** A disk or partition with its content, as the spec of a `DiscoveredVolumes` resource. */
export function discoveredVolumeSpec(volume: DiscoveredVolume): Json {
  return {
    dev_path: volume.devPath,
    type: volume.type,
    device_path: volume.devicePath,
    parent: volume.parent,
    parent_dev_path: volume.parentDevPath,
    offset: volume.offset,
    size: volume.size,
    pretty_size: prettySize(volume.size),
    sector_size: volume.sectorSize,
    io_size: volume.ioSize,
    name: volume.name,
    uuid: volume.uuid,
    label: volume.label,
    block_size: volume.blockSize,
    filesystem_block_size: volume.filesystemBlockSize,
    probed_size: volume.probedSize,
    partition_uuid: volume.partitionUuid,
    partition_type: volume.partitionType,
    partition_label: volume.partitionLabel,
    partition_index: volume.partitionIndex,
    signatures: volume.signatures.map(({ type, usage, offset, uuid, label }) => ({
      type,
      usage,
      offset,
      uuid,
      label,
    })),
    holders: volume.holders,
    symlinks: volume.symlinks,
    ...(volume.error !== undefined && { error: volume.error }),
  };
}

/** A disk or partition in its stack, as the spec of a `BlockDevices` resource. */
export function blockDeviceSpec(volume: DiscoveredVolume, disk: Disk | undefined): Json {
  return {
    type: volume.type,
    dev_path: volume.devPath,
    device_path: volume.devicePath,
    number: volume.deviceNumber,
    size: volume.size,
    pretty_size: prettySize(volume.size),
    partition_index: volume.partitionIndex,
    parent: volume.parent,
    secondaries: volume.secondaries,
    holders: volume.holders,
    symlinks: volume.symlinks,
    ...(disk !== undefined && stackSpec(disk)),
  };
}

/** How far discovery has come, as the spec of the `DiscoveryStatuses` resource. */
export function discoveryStatusSpec(
  inventory: Inventory,
  progress: { readonly ready: boolean; readonly error?: string },
): Json {
  const unreadable = inventory.volumes.filter(({ error }) => error !== undefined).map(({ id }) => id);
  return {
    ready: progress.ready,
    disks: inventory.disks.length,
    volumes: inventory.volumes.length,
    unreadable,
    ...(progress.error !== undefined && { error: progress.error }),
  };
}

function stackSpec({ mapping, array }: Disk): { readonly [name: string]: Json } {
  return {
    ...(mapping !== undefined && {
      mapping: {
        name: mapping.name,
        uuid: mapping.uuid,
        maker: mapping.maker,
        ...(mapping.lvm !== undefined && {
          lvm: {
            volume_group: mapping.lvm.volumeGroup,
            volume_group_uuid: mapping.lvm.volumeGroupUuid,
            logical_volume: mapping.lvm.logicalVolume,
            logical_volume_uuid: mapping.lvm.logicalVolumeUuid,
          },
        }),
      },
    }),
    ...(array !== undefined && { array: { ...array } }),
  };
}
