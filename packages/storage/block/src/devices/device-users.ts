import { readFile, stat } from 'node:fs/promises';

import { type DeviceFile, deviceNumber } from './device-file.ts';
import { kernelPartitions } from '../facts/kernel-partition.ts';
import { readMounts } from '../mounts/mountinfo.ts';

/** Who uses a block device now, one sentence each; none for a plain file. */
export async function usersOf(device: DeviceFile): Promise<string[]> {
  const { kernel, sysfs } = device;
  if (kernel === undefined) return [];
  const { id, number } = kernel;
  const partitions = device.isPartition ? [] : kernelPartitions(sysfs, id);
  const holders = sysfs.entries('dev/block', number, 'holders');
  const mounts = (await readMounts()).filter((mount) => mount.deviceNumber === number);
  return [
    ...partitions.map((partition) => `the kernel has partition ${partition.id} of it`),
    ...holders.map((holder) => `${holder} is stacked on it`),
    ...mounts.map((mount) => `it is mounted on ${mount.target}`),
    ...((await isSwap(number)) ? ['it is swap space in use'] : []),
    ...loopsOn(device).map((loop) => `${loop} is backed by it`),
  ];
}

async function isSwap(number: string): Promise<boolean> {
  const [, ...lines] = (await readFile('/proc/swaps', 'utf8')).split('\n');
  for (const line of lines) {
    const path = line.split(/\s/)[0] ?? '';
    if (path.startsWith('/dev/') && (await numberOf(path)) === number) return true;
  }
  return false;
}

async function numberOf(path: string): Promise<string | undefined> {
  try {
    return deviceNumber((await stat(path, { bigint: true })).rdev);
  } catch {
    return undefined; // a swap area whose node is gone is not the device at hand, which was just opened
  }
}

/** A loop device opens what is behind it without claiming it. */
function loopsOn({ kernel, path, sysfs }: DeviceFile): string[] {
  return sysfs.entries('block').filter((id) => {
    const file = sysfs.text('block', id, 'loop', 'backing_file');
    return file !== undefined && (file === path || file === `/dev/${kernel?.id ?? ''}`);
  });
}
