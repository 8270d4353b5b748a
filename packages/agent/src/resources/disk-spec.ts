import { type Disk, type DiscoveredVolume, prettySize } from '@nodecore/block';

import type { Json } from './resource.ts';

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
    ...(volume.error !== undefined && { error: volume.error }),
  };
}
