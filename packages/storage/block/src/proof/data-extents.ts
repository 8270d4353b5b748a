import { type FileHandle, open } from 'node:fs/promises';

import { codeOf, errnoName, ioctl } from '@nodecore/sys';

import { type ByteRange, endOfRange, mergedWithin } from '../byte-range.ts';
import { type DeviceFile, deviceNumber } from '../devices/device-file.ts';
import { lseek, SEEK_DATA, SEEK_HOLE } from './ffi-seek.ts';

/** Where something was ever written, or why nobody can say. Everything else reads as zeros. */
export type DataExtents = { readonly extents: readonly ByteRange[] } | { readonly unknown: string };

const LOOP_GET_STATUS64 = 0x4c05;
const loopInfoBytes = 232;
const maxExtents = 4096;

/**
 * Asks the filesystem that a plain file, or the backing file of a loop device, lies on which parts of it are mapped. There is
 * no such question to any other block device: the kernel passes none on.
 */
export async function dataExtents(device: DeviceFile): Promise<DataExtents> {
  if (device.kernel === undefined) return await mapOf(device.fd, { offset: 0n, size: device.sizeBytes });
  if (!device.kernel.diskId.startsWith('loop'))
    return { unknown: 'the kernel tells of no map of this device' };
  try {
    return await behindLoop(device);
  } catch (error) {
    return { unknown: error instanceof Error ? error.message : String(error) };
  }
}

async function behindLoop(device: DeviceFile): Promise<DataExtents> {
  const { fd, path, sysfs, kernel } = device;
  const info = Buffer.alloc(loopInfoBytes);
  await ioctl({ fd, path, name: 'LOOP_GET_STATUS64' }, LOOP_GET_STATUS64, info);
  const diskId = kernel?.diskId ?? '';
  const backing = sysfs.text('block', diskId, 'loop', 'backing_file') ?? '';
  await using file = await openBacking(backing);
  if (file === undefined) return { unknown: `its backing file ${backing} is not here` };
  const stat = await file.stat({ bigint: true });
  const isSame =
    stat.isFile() &&
    stat.ino === info.readBigUInt64LE(8) &&
    deviceNumber(stat.dev) === deviceNumber(info.readBigUInt64LE(0));
  if (!isSame) return { unknown: `${backing} is not the file behind it` };
  const start =
    kernel !== undefined && device.isPartition
      ? (sysfs.number('dev/block', kernel.number, 'start') ?? 0n) * 512n
      : 0n;
  const shift = info.readBigUInt64LE(24) + start;
  const map = await mapOf(file.fd, { offset: shift, size: device.sizeBytes });
  if ('unknown' in map) return map;
  return { extents: map.extents.map(({ offset, size }) => ({ offset: offset - shift, size })) };
}

async function openBacking(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function mapOf(fd: number, bounds: ByteRange): Promise<DataExtents> {
  const extents: ByteRange[] = [];
  for (let at = bounds.offset; at < endOfRange(bounds);) {
    const data = await lseek(fd, at, SEEK_DATA);
    if (data.result < 0) {
      if (errnoName(data.errno) === 'ENXIO') break; // nothing but a hole up to the end
      return { unknown: `lseek: ${errnoName(data.errno)}` };
    }
    const hole = await lseek(fd, BigInt(data.result), SEEK_HOLE);
    if (hole.result < 0) return { unknown: `lseek: ${errnoName(hole.errno)}` };
    extents.push({ offset: BigInt(data.result), size: BigInt(hole.result) - BigInt(data.result) });
    if (extents.length === maxExtents) return { unknown: `more than ${maxExtents} extents` };
    at = BigInt(hole.result);
  }
  return { extents: mergedWithin(extents, bounds) };
}
