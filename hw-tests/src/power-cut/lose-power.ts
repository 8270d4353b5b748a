import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { RecordEntry } from '../log-writes/index.ts';
import { WriteRecord } from '../log-writes/index.ts';

/** A disk whose machine was killed. */
export type KilledDisk = {
  /** What it was before the machine was switched on. */
  readonly base: string;
  /** What the machine wrote since then. */
  readonly record: string;
  /** Where the disk is made as the cut leaves it. */
  readonly disk: string;
  readonly deviceBytes: number;
};

/** What a cut has taken. */
export type Loss = {
  readonly writes: number;
  /** Those that no flush had made durable. */
  readonly unflushed: number;
  /** Those of them that are gone. */
  readonly lost: number;
};

/** What is there for certain: places of the entries that a flush covers, and those that are durable by themselves. */
export function durableEntries(entries: readonly RecordEntry[]): ReadonlySet<number> {
  const lastFlush = entries.findLast(({ flush }) => flush)?.index ?? -1;
  return new Set(entries.filter(({ index, fua }) => index < lastFlush || fua).map(({ index }) => index));
}

/**
 * Makes the disk as a power cut leaves it, which a killed QEMU does not: the host's page cache keeps what was never flushed. All that
 * a flush covered is there, and of the writes after it those that `random` chooses.
 *
 * @returns what was lost
 */
export async function losePower(killed: KilledDisk, random: () => number): Promise<Loss> {
  const { base, record: file, disk, deviceBytes } = killed;
  await promisify(execFile)('cp', ['--sparse=always', base, disk]);
  await using record = await WriteRecord.open(file, { deviceBytes, mayBeTorn: true });
  const writes = record.entries.filter(({ length }) => length > 0);
  // A write that was under way hides what ended beside it, a flush as well as another write: nothing is taken away then.
  const durable = record.isTorn ? new Set(writes.map(({ index }) => index)) : durableEntries(record.entries);
  await using target = await open(disk, 'r+');
  let lost = 0;
  for (const entry of writes) {
    if (!durable.has(entry.index) && random() < 0.5) lost += 1;
    else await target.write(await record.data(entry), 0, entry.length, entry.offset);
  }
  return {
    writes: writes.length,
    unflushed: writes.filter(({ index }) => !durable.has(index)).length,
    lost,
  };
}
