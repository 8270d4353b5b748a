import { constants, type PathLike } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { type KernelRecord, parseKernelRecord } from '@nodecore/host';
import { codeOf } from '@nodecore/sys';
import { type Clock, systemClock } from '@nodecore/waiting';

export type RecordsOptions = {
  readonly signal: AbortSignal;
  /** Go on with what comes. */
  readonly follow: boolean;
  /** The number of the record that was read last: those behind it that are gone count as lost. */
  readonly after?: number | undefined;
  /** Of the kernel's log; a file in tests. */
  readonly path?: PathLike;
  readonly clock?: Pick<Clock, 'sleep'>;
};

export type RecordBatch = {
  /** What is read at once. */
  readonly records: readonly KernelRecord[];
  /** How many among them the kernel had overwritten. */
  readonly lost: number;
  /** There is no other one for now. */
  readonly isAll: boolean;
};

const batchSize = 64;
/** The longest record, with what the kernel puts around it. */
const recordBytes = 8 << 10;
const lookMs = 250;

/**
 * Records of this boot, from the oldest one on that the kernel has kept. Ends with the
 * signal, without an error. Needs root.
 */
export async function* kernelRecords({
  signal,
  follow,
  after,
  path = '/dev/kmsg',
  clock = systemClock,
}: RecordsOptions): AsyncGenerator<RecordBatch, void, undefined> {
  // Blocked in a read, a thread of the pool would be gone for good.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(recordBytes);
  let next = after === undefined ? undefined : after + 1;
  while (!signal.aborted) {
    let lost = 0;
    const records: KernelRecord[] = [];
    let isMore = true;
    while (isMore && records.length < batchSize && !signal.aborted) {
      const text = await readRecord(file, buffer);
      isMore = text !== undefined;
      const record = parseKernelRecord(text ?? '');
      if (record === undefined) continue; // that lines are lost is known by their numbers
      if (next !== undefined) lost += Math.max(0, record.sequence - next);
      next = record.sequence + 1;
      records.push(record);
    }
    yield { records, lost, isAll: !isMore };
    if (isMore) continue;
    if (!follow) return;
    await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
  }
}

/** @returns undefined when there is none for now; no text where the kernel has overwritten what came next. */
async function readRecord(file: FileHandle, buffer: Buffer): Promise<string | undefined> {
  try {
    const { bytesRead } = await file.read(buffer, 0, recordBytes, null);
    return bytesRead === 0 ? undefined : buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EAGAIN') return undefined;
    if (code === 'EPIPE') return '';
    throw error;
  }
}
