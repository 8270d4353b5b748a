import { isDeepStrictEqual } from 'node:util';

import { DeviceFile } from './device-file.ts';
import { withDiskLock } from './disk-lock.ts';
import { type MeantDisk, requireSequence } from './disk-sequence.ts';
import { BlockError } from './errors.ts';
import { endOf, firstOverlap } from './extents.ts';
import { FdiskContext, type GptEntry } from './fdisk-context.ts';
import { requirePartitionable } from './kernel-table.ts';
import {
  type PartitionTable,
  describeTable,
  hasTable,
  hasWholeFirstCopy,
  requireBothCopies,
  requireChangeable,
} from './partition-table.ts';

/** Runs a change on the table of a device that nobody else changes meanwhile. */
export function changeTable<T>(
  path: string,
  options: MeantDisk & { readonly signal?: AbortSignal },
  task: (device: DeviceFile, context: FdiskContext) => Promise<T>,
): Promise<T> {
  return withDiskLock(
    path,
    async () => {
      await using device = await DeviceFile.open(path, { write: true });
      requireSequence(device, options);
      requirePartitionable(device);
      await repairFirstCopy(device);
      await using context = await openTable(device);
      return await task(device, context); // awaited: what it uses is closed at the end of this block
    },
    options,
  );
}

/** @throws {BlockError} when there is no table, or none that we may change. */
async function openTable(device: DeviceFile): Promise<FdiskContext> {
  const context = await FdiskContext.open(device);
  try {
    if (!(await hasTable(device, context))) {
      throw new BlockError('ERR_BLOCK_NOT_FOUND', device.path, `${device.path} has no partition table`);
    }
    await requireChangeable(device, context);
    return context;
  } catch (error) {
    await context[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * A change begins with the second copy. While the first is damaged that is the only one, so the table is first written
 * as it is: the second copy gets the bytes that it has, and the first is whole again before anything changes.
 */
async function repairFirstCopy(device: DeviceFile): Promise<void> {
  await using context = await openTable(device);
  if (await hasWholeFirstCopy(device)) return;
  await context.write();
  await device.sync();
}

/** Writes the table and reads it back from the medium. Nothing is written unless libfdisk made of it what was wanted. */
export async function commit(
  device: DeviceFile,
  context: FdiskContext,
  wanted: readonly GptEntry[],
): Promise<PartitionTable> {
  const outside = wanted.some((entry) => endOf(entry) > context.lastUsableLba + 1n);
  if (outside || firstOverlap(wanted) !== undefined || !isDeepStrictEqual(context.entries(), wanted)) {
    throw new BlockError(
      'ERR_BLOCK_FAILED',
      device.path,
      `${device.path}: the new table is not as it was wanted`,
    );
  }
  await context.write();
  await device.sync();
  await device.dropCache();
  await requireBothCopies(device);
  await using written = await FdiskContext.open(device);
  if (written.kind !== 'gpt' || !isDeepStrictEqual(written.entries(), wanted)) {
    throw new BlockError(
      'ERR_BLOCK_FAILED',
      device.path,
      `${device.path}: the partition table reads back differently`,
    );
  }
  return describeTable(device, written);
}
