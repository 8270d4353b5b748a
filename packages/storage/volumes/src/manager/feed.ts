import type { Inventory } from '@nodecore/block';
import { Backoff, type Clock, onAbort } from '@nodecore/waiting';

import type { Log } from '../log.ts';

/** Passes on what an iterable yields, until the signal fires; a value that is still to come is not waited for. */
async function feed<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  take: (value: T) => void,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  const stopped = Promise.withResolvers<{ done: true; value: undefined }>();
  using _listener = onAbort(signal, () => stopped.resolve({ done: true, value: undefined }));
  try {
    for (;;) {
      const next = await Promise.race([stopped.promise, iterator.next()]);
      if (next.done === true) return;
      take(next.value);
    }
  } finally {
    // Not awaited: a generator that waits for its next value ends only when that comes.
    iterator.return?.()?.catch(() => {});
  }
}

export type Feeding = { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal };

/** Takes each newer inventory until the signal fires, or there are no more; a watch that fails is tried again. */
export async function keepFeeding(
  inventory: AsyncIterable<Inventory>,
  { clock, log, signal }: Feeding,
  take: (inventory: Inventory) => void,
): Promise<void> {
  const backoff = new Backoff({ firstMs: 1000, largestMs: 60_000 });
  while (!signal.aborted) {
    try {
      await feed(inventory, signal, take);
      return;
    } catch (error) {
      log.warn({ error: String(error) }, 'the disks are not watched any more');
      await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
    }
  }
}
