import type { DiscoveredVolume, Disk, Inventory } from '@nodecore/block';

export function disk(id: string, more: Partial<Disk> = {}): Disk {
  return {
    id,
    devPath: `/dev/${id}`,
    size: 1n << 30n,
    ioSize: 512,
    sectorSize: 512,
    readonly: false,
    cdrom: false,
    rotational: false,
    model: 'model',
    serial: `serial-${id}`,
    modalias: '',
    wwid: '',
    uuid: '',
    firmwareVersion: '',
    busPath: '',
    subSystem: '',
    transport: 'virtio',
    secondaryDisks: [],
    symlinks: [],
    ...more,
  };
}

export function partition(
  parent: string,
  index: number,
  more: Partial<DiscoveredVolume> = {},
): DiscoveredVolume {
  return {
    id: `${parent}${index}`,
    type: 'partition',
    devPath: `/dev/${parent}${index}`,
    devicePath: '',
    deviceNumber: '',
    parent,
    parentDevPath: `/dev/${parent}`,
    offset: 1n << 20n,
    size: 1n << 20n,
    sectorSize: 512,
    ioSize: 512,
    name: '',
    uuid: '',
    label: '',
    blockSize: 0,
    filesystemBlockSize: 0,
    probedSize: 0n,
    partitionUuid: '',
    partitionType: '',
    partitionLabel: '',
    partitionIndex: index,
    signatures: [],
    holders: [],
    secondaries: [],
    symlinks: [],
    ...more,
  };
}

export function inventory(disks: readonly Disk[], volumes: readonly DiscoveredVolume[]): Inventory {
  return { disks, volumes };
}
