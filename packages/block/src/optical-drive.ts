import { ioctl } from '@nodecore/sys';

import type { Device, DeviceAccess } from './device-access.ts';

const CDROM_DRIVE_STATUS = 0x5326;
const CDS_NO_DISC = 1;
const CDS_TRAY_OPEN = 2;

/**
 * Whether there is a medium in an optical drive. The kernel keeps the size of the last one, so sysfs does not tell.
 * Drives that can't say are taken to have one: reading it will tell.
 */
export async function hasMedium(access: DeviceAccess, device: Device): Promise<boolean> {
  const { fd } = await access.open(device, new BigUint64Array());
  if (fd === undefined) throw new TypeError('a device was closed without being known');
  const target = { fd, path: device.path, name: 'CDROM_DRIVE_STATUS' };
  const ask = (): Promise<number> => ioctl(target, CDROM_DRIVE_STATUS).catch(() => 0);
  const status = await access.judge(device, fd, ask);
  await access.finish(device, fd);
  return status !== CDS_NO_DISC && status !== CDS_TRAY_OPEN;
}
