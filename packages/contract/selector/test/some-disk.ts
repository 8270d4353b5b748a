import type { SelectableDisk } from '@nodecore/selector';

/** A disk as a selector sees it. */
export function someDisk(facts: Partial<SelectableDisk> = {}): SelectableDisk {
  return {
    devPath: '/dev/nvme0n1',
    size: 500_107_862_016n,
    ioSize: 512,
    sectorSize: 512,
    readonly: false,
    cdrom: false,
    rotational: false,
    model: 'WD_BLACK SN850X',
    serial: 'S1',
    modalias: '',
    wwid: 'naa.5000c500a1b2c3d4',
    uuid: '',
    firmwareVersion: '',
    busPath: '/pci0000:00/0000:00:1f.2',
    subSystem: '/sys/class/block',
    transport: 'nvme',
    secondaryDisks: [],
    symlinks: ['/dev/disk/by-id/wwn-0x5000c500a1b2c3d4', '/dev/disk/by-id/nvme-WD'],
    ...facts,
  };
}
