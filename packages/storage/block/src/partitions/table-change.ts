import { isDeepStrictEqual } from 'node:util';

import { DeviceFile } from '../devices/device-file.ts';
import { withDiskLock } from '../devices/disk-lock.ts';
import { type MeantDisk, requireSequence } from '../devices/disk-sequence.ts';
import { BlockError } from '../errors.ts';
import { endOf, firstOverlap } from './extents.ts';
import { FdiskContext, type GptEntry } from './fdisk-context.ts';
import { requirePartitionable } from './kernel-table.ts';
import {
  type PartitionTable,
  describeTable,
  hasTable,
  requireChangeable,
  requireEqualCopies,
} from './partition-table.ts';
import { compareCopies } from './table-copies.ts';
import { changingBit } from './table-entry.ts';

type ChangeOptions = MeantDisk & { readonly signal?: AbortSignal };
type Task<T> = (device: DeviceFile, context: FdiskContext) => Promise<T>;

/** Runs a change on the table of a device that nobody else changes meanwhile. */
export function changeTable<T>(path: string, options: ChangeOptions, task: Task<T>): Promise<T> {
  return withTable(path, options, async (device) => {
    await settle(device);
    await using context = await openTable(device);
    return await task(device, context); // awaited: what it uses is closed at the end of this block
  });
}

/** The same for what leaves the table as it is, whatever state it is in. */
export function consultTable<T>(path: string, options: ChangeOptions, task: Task<T>): Promise<T> {
  return withTable(path, options, async (device) => {
    await using context = await openTable(device);
    return await task(device, context);
  });
}

function withTable<T>(
  path: string,
  options: ChangeOptions,
  task: (device: DeviceFile) => Promise<T>,
): Promise<T> {
  return withDiskLock(
    path,
    async () => {
      await using device = await DeviceFile.open(path, { write: true });
      requireSequence(device, options);
      requirePartitionable(device);
      return await task(device);
    },
    options,
  );
}

/** @throws {BlockError} when there is no table, or none that we may change. */
export async function openTable(device: DeviceFile): Promise<FdiskContext> {
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
 * Requires two equal copies before anything changes. A change of ours that broke off is completed or undone first, and the
 * second copy is moved to where a disk that grew ends now: what is written then has the entries that it had.
 */
async function settle(device: DeviceFile): Promise<void> {
  await using context = await openTable(device);
  const copies = await compareCopies(device);
  requireEqualCopies(device, copies);
  if (copies.state === 'whole') return;
  await context.write();
  await requireWritten(device);
}

/**
 * Says in both copies that an entry is about to change, before either does: should the change be cut off between the
 * copies, that tells it from a copy that is older. The change itself takes the mark away.
 */
export async function declareChange(device: DeviceFile, entry: GptEntry): Promise<FdiskContext> {
  const context = await openTable(device);
  try {
    const attributes = entry.attributes | changingBit;
    context.setAttributes(entry.index, attributes);
    await commit(device, context, withEntry(context.entries(), { ...entry, attributes }));
  } finally {
    await context[Symbol.asyncDispose]();
  }
  return openTable(device);
}

/** The entries with one that is new or changed. */
export function withEntry(entries: readonly GptEntry[], entry: GptEntry): GptEntry[] {
  return [...entries.filter(({ index }) => index !== entry.index), entry].sort(
    (one, other) => one.index - other.index,
  );
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
  await requireWritten(device);
  await using written = await FdiskContext.open(device);
  if (written.kind !== 'gpt' || !isDeepStrictEqual(written.entries(), wanted)) throw readsDifferently(device);
  return describeTable(device, written);
}

/** Both copies are on the medium, and equal. */
async function requireWritten(device: DeviceFile): Promise<void> {
  await device.sync();
  await device.dropCache();
  if ((await compareCopies(device)).state !== 'whole') throw readsDifferently(device);
}

function readsDifferently({ path }: DeviceFile): BlockError {
  return new BlockError('ERR_BLOCK_FAILED', path, `${path}: the partition table reads back differently`);
}
