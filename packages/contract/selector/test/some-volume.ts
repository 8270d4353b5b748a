import type { SelectableVolume } from '@nodecore/selector';

/** A partition as a selector sees it. */
export function someVolume(): SelectableVolume {
  return {
    type: 'partition',
    devPath: '/dev/nvme0n1p1',
    devicePath: '/devices/pci/nvme0n1p1',
    parent: 'nvme0n1',
    parentDevPath: '/dev/nvme0n1',
    offset: 1_048_576n,
    size: 1_048_576n,
    sectorSize: 512,
    ioSize: 512,
    name: '',
    uuid: '',
    label: '',
    blockSize: 0,
    filesystemBlockSize: 0,
    probedSize: 0n,
    partitionUuid: 'd8c5e9a0-0000-0000-0000-000000000000',
    partitionType: '0fc63daf-8483-4772-8e79-3d69d8477de4',
    partitionLabel: 'META',
    partitionIndex: 1,
  };
}
