import { escapeComma } from './option-list.ts';
import type { DiskDriver, DiskSpec, Durability } from './spec.ts';

/** What QEMU and the guest need for one kind of disk. */
type Driver = {
  /** Controller that all disks of the kind share; none when each is its own PCI device. */
  readonly controller?: string;
  /** The device, on its place `index` among the disks of its kind. */
  readonly device: (index: number) => string;
  readonly modules: readonly string[];
  /** An SD card has no serial of ours. */
  readonly serial: boolean;
  readonly sectorSizes: boolean;
};

const drivers: Record<DiskDriver, Driver> = {
  virtio: {
    device: () => 'virtio-blk-pci',
    modules: ['virtio_blk'],
    serial: true,
    sectorSizes: true,
  },
  nvme: { device: () => 'nvme', modules: ['nvme'], serial: true, sectorSizes: true },
  scsi: {
    controller: 'virtio-scsi-pci,id=scsi',
    device: (index) => `scsi-hd,bus=scsi.0,scsi-id=${index}`,
    modules: ['virtio_scsi', 'sd_mod'],
    serial: true,
    sectorSizes: true,
  },
  megaraid: {
    controller: 'megasas-gen2,id=megaraid',
    device: (index) => `scsi-hd,bus=megaraid.0,scsi-id=${index}`,
    modules: ['megaraid_sas', 'sd_mod'],
    serial: true,
    sectorSizes: true,
  },
  ahci: {
    controller: 'ahci,id=ahci',
    device: (index) => `ide-hd,bus=ahci.${index}`,
    modules: ['ahci', 'sd_mod'],
    serial: true,
    sectorSizes: false,
  },
  ide: {
    controller: 'piix4-ide,id=piix',
    device: (index) => `ide-hd,bus=piix.${index >> 1},unit=${index & 1}`,
    modules: ['ata_piix', 'sd_mod'],
    serial: true,
    sectorSizes: false,
  },
  usb: {
    controller: 'qemu-xhci,id=usb',
    device: () => 'usb-storage,bus=usb.0',
    modules: ['xhci_pci', 'usb_storage', 'uas', 'sd_mod'],
    serial: true,
    sectorSizes: false,
  },
  mmc: {
    controller: 'sdhci-pci,id=sdhci',
    device: () => 'sd-card',
    modules: ['sdhci_pci', 'mmc_block'],
    serial: false,
    sectorSizes: false,
  },
};

/** Kernel modules that make these disks appear in the guest. */
export function guestModules(disks: readonly DiskSpec[]): string[] {
  return [...new Set(disks.flatMap((disk) => drivers[disk.driver].modules))];
}

/** Whether the guest can tell such a disk by its serial. */
export function hasSerial(disk: DiskSpec): boolean {
  return drivers[disk.driver].serial;
}

/**
 * QEMU arguments for the disks; `file` gives the path behind each.
 *
 * @param options `boots`: the firmware boots from the first; `controllers`: of these kinds there is one, also without a disk
 */
export function diskArguments(
  disks: readonly DiskSpec[],
  file: (disk: DiskSpec) => string,
  {
    boots,
    durability = 'host-crash',
    controllers = [],
  }: {
    readonly boots: boolean;
    readonly durability?: Durability;
    readonly controllers?: readonly DiskDriver[];
  },
): string[] {
  const args: string[] = [];
  const counts = new Map<DiskDriver, number>();
  for (const [place, disk] of disks.entries()) {
    const driver = drivers[disk.driver];
    const index = counts.get(disk.driver) ?? 0;
    counts.set(disk.driver, index + 1);
    if (index === 0 && driver.controller !== undefined) args.push('-device', driver.controller);

    const discard = disk.discard === false ? 'ignore' : 'unmap';
    if (disk.record === undefined) {
      // writeback: a flush of the guest reaches the disk below the file, and nothing else waits for that. unsafe: nothing waits.
      const cache = durability === 'none' ? 'unsafe' : 'writeback';
      args.push(
        '-drive',
        `if=none,id=${driveId(disk)},file=${escapeComma(file(disk))},format=${disk.format ?? 'raw'},cache=${cache},discard=${discard}`,
      );
    } else args.push('-blockdev', recordedDrive(disk, file(disk), disk.record, discard));
    const properties = deviceProperties(disk).map(([name, value]) => `,${name}=${value}`);
    // QEMU has no boot index for an SD card.
    const bootIndex = boots && place === 0 && disk.driver !== 'mmc' ? ',bootindex=0' : '';
    args.push('-device', `${driver.device(index)}${properties.join('')}${bootIndex}`);
  }
  for (const kind of controllers) {
    const { controller } = drivers[kind];
    if (controller !== undefined && !counts.has(kind)) args.push('-device', controller);
  }
  return args;
}

/** All that the guest writes and flushes goes to the disk, and in that order to the record, whose head is right at any moment. */
function recordedDrive(disk: DiskSpec, file: string, record: string, discard: string): string {
  const parts = [
    `driver=blklogwrites,node-name=${driveId(disk)},discard=${discard},log-super-update-interval=1`,
    `file.driver=file,file.filename=${escapeComma(file)},file.discard=${discard}`,
    `log.driver=file,log.filename=${escapeComma(record)}`,
  ];
  return parts.join(',');
}

/** QEMU's name for what is behind a disk. */
export function driveId({ serial }: DiskSpec): string {
  return `drive-${serial}`;
}

/** QEMU's name for a disk as a device. */
export function deviceId({ serial }: DiskSpec): string {
  return `disk-${serial}`;
}

/** What QEMU's device of a disk is told besides its place. */
function deviceProperties(disk: DiskSpec): readonly (readonly [name: string, value: string])[] {
  const { serial, sectorSizes } = drivers[disk.driver];
  const size = sectorSizes ? disk.sectorSize?.toString() : undefined;
  return [
    ['drive', driveId(disk)],
    ['id', deviceId(disk)],
    ...(serial ? [['serial', disk.serial] as const] : []),
    ...(size === undefined
      ? []
      : [['logical_block_size', size] as const, ['physical_block_size', size] as const]),
  ];
}

/** Whether each such disk is a device of PCIe by itself. */
export function isOnPcie({ driver }: DiskSpec): boolean {
  return drivers[driver].controller === undefined;
}

/** Whether guests notice such a disk that comes while they run: not on ATA, MegaRAID and in SD slots, as QEMU has them. */
export function isPluggable({ driver }: DiskSpec): boolean {
  return ['virtio', 'nvme', 'scsi', 'usb'].includes(driver);
}

/**
 * A device to plug in while the machine runs: in an empty slot, or on the controller of its kind, whose next place QEMU
 * chooses.
 */
export function pluggedDevice(disk: DiskSpec, slot: number | undefined): Readonly<Record<string, string>> {
  const [driver = '', place] = drivers[disk.driver].device(0).split(',');
  const bus = slot === undefined ? place?.replace('bus=', '') : slotId(slot);
  return { driver, ...(bus && { bus }), ...Object.fromEntries(deviceProperties(disk)) };
}

/** The empty PCIe slots of a machine. */
export function slotArguments(slots: number): string[] {
  return Array.from({ length: slots }, (_, index) => [
    '-device',
    `pcie-root-port,id=${slotId(index)},chassis=${index + 1}`,
  ]).flat();
}

function slotId(index: number): string {
  return `slot${index}`;
}
