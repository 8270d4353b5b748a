import type { Inventory } from '@nodecore/block';
import type { Clock, Latest } from '@nodecore/waiting';

import { missingFrom } from './perform-reset.ts';
import type { ResetRecord } from './reset-record.ts';

/** Disks that are slow to appear after a boot do so in its first minutes. */
const patienceMs = 180_000;

export type AwaitedDisks = {
  readonly inventory: Pick<Latest<Inventory>, 'changes'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Waits until every disk that a reset names is here, or has had its time. Yields what is missing, each time that it is something
 * else. It has an end: a disk that broke would keep the node closed for ever, and one that comes back after days may be
 * somebody's by then, whom its serial number does not name.
 */
export async function* awaitDisks(
  record: ResetRecord,
  { inventory, clock, signal }: AwaitedDisks,
): AsyncGenerator<string, void, undefined> {
  const done = new AbortController();
  const late = new AbortController();
  const timer = clock.sleep(patienceMs, AbortSignal.any([signal, done.signal])).then(
    () => late.abort(),
    () => {}, // all are here, or nobody waits any more
  );
  let told = '';
  try {
    for await (const current of inventory.changes(AbortSignal.any([signal, late.signal]))) {
      const missing = missingFrom(current, record).join(', ');
      if (missing === '') return;
      if (missing !== told) yield missing;
      told = missing;
    }
  } finally {
    done.abort();
    await timer;
  }
}
