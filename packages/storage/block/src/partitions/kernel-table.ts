import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { errnoName } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';

import type { DeviceFile } from '../devices/device-file.ts';
import { BlockError } from '../errors.ts';
import * as c from './ffi-blkpg.ts';
import { type KernelPartition, kernelPartitions } from '../facts/kernel-partition.ts';
import type { Partition } from './partition-table.ts';

const nodeDeadlineMs = 10_000;

/** Before anything is written: the kernel would take the partitions of this device. */
export function requirePartitionable(device: DeviceFile): void {
  const { kernel, sysfs, path } = device;
  if (kernel === undefined) return;
  if (device.isPartition) {
    throw new BlockError('ERR_BLOCK_FAILED', path, `${path} is a partition, not a disk`);
  }
  // genhd: a disk without room for partitions says 1.
  if (sysfs.number('block', kernel.id, 'ext_range') === 1n) {
    const message = `${path}: the kernel takes no partitions on this kind of device`;
    throw new BlockError('ERR_BLOCK_FAILED', path, message);
  }
}

/** @throws {BlockError} `ERR_BLOCK_BUSY`: the kernel has a partition there, or of that number, which the table has not. */
export function requireKernelFree(
  device: DeviceFile,
  wanted: Pick<Partition, 'index' | 'offset' | 'size'>,
): void {
  for (const { id, index, offset, size } of kernelOf(device)) {
    const apart = wanted.offset >= offset + size || offset >= wanted.offset + wanted.size;
    if (apart && index !== wanted.index) continue;
    throw new BlockError(
      'ERR_BLOCK_BUSY',
      device.path,
      `${device.path}: the kernel has ${id} where the table has nothing`,
    );
  }
}

/**
 * Tells the kernel about one partition that it does not know or has smaller, touches no other, and waits for its node. A
 * plain file has no kernel part.
 */
export async function announcePartition(
  device: DeviceFile,
  partition: Partition,
  signal?: AbortSignal,
): Promise<void> {
  if (device.kernel === undefined) return;
  const known = kernelOf(device).find(({ index }) => index === partition.index);
  if (known === undefined) await blkpg(device, c.BLKPG_ADD_PARTITION, partition);
  else if (known.offset === partition.offset && known.size < partition.size)
    await announceSize(device, partition);
  else if (known.offset !== partition.offset || known.size !== partition.size) {
    throw new BlockError(
      'ERR_BLOCK_BUSY',
      device.path,
      `${device.path}: the kernel has ${known.id} in another place`,
    );
  }
  await waitForNode(partition.devPath, signal);
}

/** Tells the kernel that a partition ends elsewhere; it may be in use. */
export async function announceSize(device: DeviceFile, partition: Partition): Promise<void> {
  if (device.kernel !== undefined) await blkpg(device, c.BLKPG_RESIZE_PARTITION, partition);
}

/**
 * Lets the kernel forget every partition of a disk; the table on the disk stays.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY`: one of them is in use; the kernel has all of them again then.
 */
export async function forgetPartitions(device: DeviceFile): Promise<void> {
  const forgotten: KernelPartition[] = [];
  try {
    for (const partition of kernelOf(device)) {
      await blkpg(device, c.BLKPG_DEL_PARTITION, partition);
      forgotten.push(partition);
    }
  } catch (error) {
    for (const partition of forgotten) await blkpg(device, c.BLKPG_ADD_PARTITION, partition);
    throw error;
  }
}

/** Lets the kernel forget one partition, if it knows it. @throws {BlockError} `ERR_BLOCK_BUSY`. */
export async function forgetPartition(
  device: DeviceFile,
  wanted: Pick<Partition, 'index' | 'offset'>,
): Promise<void> {
  const known = kernelOf(device).find(({ index }) => index === wanted.index);
  if (known === undefined) return;
  if (known.offset !== wanted.offset) {
    throw new BlockError(
      'ERR_BLOCK_BUSY',
      device.path,
      `${device.path}: the kernel has ${known.id} elsewhere`,
    );
  }
  await blkpg(device, c.BLKPG_DEL_PARTITION, known);
}

function kernelOf({ kernel, sysfs }: DeviceFile): KernelPartition[] {
  return kernel === undefined ? [] : kernelPartitions(sysfs, kernel.id);
}

async function blkpg(
  device: DeviceFile,
  operation: number,
  partition: Pick<Partition, 'index' | 'offset' | 'size'>,
): Promise<void> {
  const { result, errno } = await c.ioctl_blkpg(device.fd, operation, {
    start: partition.offset,
    length: partition.size,
    pno: partition.index,
    devname: '',
    volname: '',
  });
  if (result === 0) return;
  const name = errnoName(errno);
  const code = name === 'EBUSY' ? 'ERR_BLOCK_BUSY' : 'ERR_BLOCK_FAILED';
  const message = `BLKPG for partition ${partition.index} of ${device.path}: ${name}`;
  throw new BlockError(code, device.path, message, { errno: name });
}

/** devtmpfs makes the node before BLKPG returns; where another program makes it, its directory tells. */
async function waitForNode(path: string, signal?: AbortSignal): Promise<void> {
  const deadline = AbortSignal.timeout(nodeDeadlineMs);
  const ends = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => {
    isBlockDevice(path).then((there) => there && resolve(), reject);
  };
  const watcher = watch(dirname(path), look);
  watcher.on('error', reject);
  using _listener = onAbort(ends, () => reject(signal?.aborted === true ? signal.reason : missing(path)));
  try {
    look(); // after the watch began: a node that appears in between is seen by one of them
    await promise;
  } finally {
    watcher.close();
  }
}

function missing(path: string): BlockError {
  return new BlockError(
    'ERR_BLOCK_NOT_FOUND',
    path,
    `${path}: the kernel has the partition, but its node does not appear`,
  );
}

async function isBlockDevice(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isBlockDevice();
  } catch {
    return false;
  }
}
