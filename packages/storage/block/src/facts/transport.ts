import type { Sysfs } from './sysfs.ts';

const byName: readonly (readonly [RegExp, string])[] = [
  [/^nvme/, 'nvme'],
  [/^vd/, 'virtio'],
  [/^xvd/, 'xenblk'],
  [/^mmcblk/, 'mmc'],
  [/^dm-/, 'dm'],
];

/**
 * How a disk is attached: `nvme`, `virtio`, `sata`, `usb`, …; `''` for devices that hang on nothing, such as loops.
 *
 * @param directory the disk's own, below the root of sysfs
 */
export function readTransport(sysfs: Sysfs, id: string, directory: string): string {
  const named = byName.find(([pattern]) => pattern.test(id));
  if (named !== undefined) return named[1];
  const device = sysfs.follow(`${directory}/device`);
  const host = /\/(\d+):\d+:\d+:\d+$/.exec(device ?? '')?.[1];
  return host === undefined ? '' : scsiTransport(sysfs, directory, `host${host}`);
}

/** SCSI carries everything from SAS to a USB stick; the host adapter's classes tell which. */
function scsiTransport(sysfs: Sysfs, directory: string, host: string): string {
  const has = (...path: readonly string[]): boolean => sysfs.resolve(...path) !== undefined;
  if (has('class', 'spi_host', host)) return 'spi';
  if (has('class', 'fc_host', host)) return 'fc';
  if (has('class', 'sas_host', host) || has(directory, 'device', 'sas_device')) return 'sas';
  if (has(directory, 'device', 'ieee1394_id')) return 'ibp';
  if (has('class', 'iscsi_host', host)) return 'iscsi';
  if (directory.includes('usb')) return 'usb';
  const driver = sysfs.text('class', 'scsi_host', host, 'proc_name') ?? '';
  if (driver === 'ahci' || driver.includes('sata')) return 'sata';
  if (driver.includes('ata')) return 'ata';
  if (driver === 'virtio_scsi') return 'virtio';
  return driver;
}
