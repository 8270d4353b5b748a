import { Backoff, type Clock, systemClock } from '@nodecore/waiting';
import { makeDirectory } from '@nodecore/sys';

import { isKvstoreError, type KvstoreError } from '../errors.ts';
import { catalogueFile, listCatalogue, removeAbandoned, removeSnapshots } from './catalogue.ts';
import type { SnapshotInfo } from './info.ts';
import { expired, type Retention } from './retention.ts';

export type SnapshotScheduleOptions = {
  /** Where they go; made when it is not there. */
  readonly directory: string;
  /** From one to the next, in milliseconds. */
  readonly intervalMs: number;
  readonly retention: Retention;
  /** Takes one: {@link saveSnapshot} with the kvstore and endpoint of the day. */
  readonly save: (file: string, signal: AbortSignal | undefined) => Promise<SnapshotInfo>;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type ScheduledSnapshot = {
  /** When it began, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly file: string;
  /** What it holds, or why there is none; then it is tried again soon, and nothing was removed. */
  readonly outcome: SnapshotInfo | KvstoreError;
  /** Files that the retention no longer keeps. */
  readonly removed: readonly string[];
};

/** The clock may be set while we wait: it is looked at this often, at least. */
const longestSleepMs = 60_000;

/**
 * Takes a snapshot whenever the newest is older than the interval, removes what is no longer kept, and yields how it went.
 * What was missed while no schedule ran is made up for by one. Older ones go only after a new one was proven. Ends by rejecting
 * with `signal.reason`.
 */
export async function* snapshotOnSchedule(
  options: SnapshotScheduleOptions,
): AsyncGenerator<ScheduledSnapshot, never, void> {
  const { directory, intervalMs, clock = systemClock, signal } = options;
  await makeDirectory(directory);
  await removeAbandoned(directory);
  const backoff = new Backoff({ firstMs: Math.min(30_000, intervalMs), largestMs: intervalMs });
  for (;;) {
    await untilDue(options, clock);
    const taken = await take(options, clock.now());
    yield taken;
    signal?.throwIfAborted();
    if (isKvstoreError(taken.outcome)) await clock.sleep(backoff.next(), signal);
    else backoff.reset();
  }
}

async function untilDue(
  { directory, intervalMs, signal }: SnapshotScheduleOptions,
  clock: Clock,
): Promise<void> {
  for (;;) {
    const nowMs = clock.now();
    // Names from the future are of a clock that was wrong: they must not keep us from taking any.
    const newest = (await listCatalogue(directory)).findLast(({ takenMs }) => takenMs <= nowMs);
    const leftMs = newest === undefined ? 0 : newest.takenMs + intervalMs - nowMs;
    if (leftMs <= 0) return;
    await clock.sleep(Math.min(leftMs, longestSleepMs), signal);
  }
}

async function take(
  { directory, retention, save, signal }: SnapshotScheduleOptions,
  atMs: number,
): Promise<ScheduledSnapshot> {
  const file = catalogueFile(directory, atMs);
  try {
    const outcome = await save(file, signal);
    // Names from the future are of a clock that was wrong: counted, they would use up the retention until it comes.
    const counted = (await listCatalogue(directory)).filter(({ takenMs }) => takenMs <= atMs);
    const old = expired(counted, retention).filter((snapshot) => snapshot.file !== file);
    await removeSnapshots(directory, old);
    return { atMs, file, outcome, removed: old.map((snapshot) => snapshot.file) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!isKvstoreError(error)) throw error;
    return { atMs, file, outcome: error, removed: [] };
  }
}
