import { systemClock, type Clock } from '@nodecore/waiting';

import { defragment, type DefragmentationReport, type DefragmentOptions } from './defragmentation.ts';
import { isKvstoreError, KvstoreError } from './errors.ts';
import type { Kvstore } from './kvstore.ts';

export type ScheduleOptions = DefragmentOptions & {
  /** From one run to the next, in milliseconds. */
  readonly intervalMs: number;
  /** The same for all members of a cluster, and another for another cluster: its id. */
  readonly clusterId: bigint;
};

export type ScheduledRun = {
  /** When it began, in milliseconds since the epoch. */
  readonly atMs: number;
  /** What was done, or why nothing was: `ERR_KVSTORE_LOCKED` means that another node does it. */
  readonly outcome: DefragmentationReport | KvstoreError;
};

/** The clock may be set while we wait: it is looked at this often, at least. */
const longestSleepMs = 60_000;

/**
 * When the next run is due: clusters have their runs spread over the interval, and a cluster has its own always at the same
 * point of it. Milliseconds since the epoch.
 */
export function nextRunMs(clusterId: bigint, intervalMs: number, afterMs: number): number {
  const offsetMs = Number(clusterId % BigInt(intervalMs));
  return (Math.floor((afterMs - offsetMs) / intervalMs) + 1) * intervalMs + offsetMs;
}

/**
 * Defragments a cluster at every due time, and yields how it went. Every node of a cluster may run it: one of them gets the
 * turn. Due times that passed unseen, because the clock was set or the machine slept, make one run. Ends by rejecting
 * with `signal.reason`.
 */
export async function* defragmentOnSchedule(
  kvstore: Kvstore,
  options: ScheduleOptions,
): AsyncGenerator<ScheduledRun, never, void> {
  const { clock = systemClock, signal } = options;
  for (;;) {
    await untilRunDue(options, clock);
    const atMs = clock.now();
    yield { atMs, outcome: await outcomeOf(kvstore, options) };
    signal?.throwIfAborted();
  }
}

/** Resolves when the next run of a cluster is due, by a clock that may be set meanwhile. */
export async function untilRunDue(
  { clusterId, intervalMs, signal }: Pick<ScheduleOptions, 'clusterId' | 'intervalMs' | 'signal'>,
  clock: Clock = systemClock,
): Promise<void> {
  let dueMs = nextRunMs(clusterId, intervalMs, clock.now());
  for (;;) {
    const leftMs = dueMs - clock.now();
    if (leftMs <= 0) return;
    // Set back by more than the wait itself: then the due time of the new day counts.
    if (leftMs > intervalMs) dueMs = nextRunMs(clusterId, intervalMs, clock.now());
    else await clock.sleep(Math.min(leftMs, longestSleepMs), signal);
  }
}

async function outcomeOf(
  kvstore: Kvstore,
  options: ScheduleOptions,
): Promise<DefragmentationReport | KvstoreError> {
  try {
    return await defragment(kvstore, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isKvstoreError(error)) return error;
    throw error;
  }
}
