import { aborted, type Clock } from '@nodecore/waiting';

/** See `outside` of `Controller`. Calls `wake` with the names of items. */
export type Outside = (wake: (item: string) => void, signal: AbortSignal) => Promise<void>;

/** Wakes each item once, when everything runs: for what has no other reason to begin. */
export function atStart(...items: readonly string[]): Outside {
  return async (wake, signal) => {
    for (const item of items) wake(item);
    await aborted(signal);
  };
}

/** Wakes each item with every value of an iteration, such as the changes of a `Latest`. */
export function onEach(
  values: (signal: AbortSignal) => AsyncIterable<unknown>,
  ...items: readonly string[]
): Outside {
  return async (wake, signal) => {
    for await (const _ of values(signal)) for (const item of items) wake(item);
  };
}

/** Wakes each item at the start, and again after every `ms` milliseconds: for what nothing announces. */
export function every(ms: number, clock: Clock, ...items: readonly string[]): Outside {
  return async (wake, signal) => {
    while (!signal.aborted) {
      for (const item of items) wake(item);
      await clock.sleep(ms, signal).catch(() => {}); // the loop asks the signal
    }
  };
}

/** Several side by side. When one fails, or ends by itself, the others end, too: they begin again together. */
export function together(...outsides: readonly Outside[]): Outside {
  return async (wake, signal) => {
    const first = new AbortController();
    const ending = AbortSignal.any([signal, first.signal]);
    const works = outsides.map(async (outside) => {
      try {
        await outside(wake, ending);
      } finally {
        first.abort();
      }
    });
    const why = Promise.race(works);
    why.catch(() => {}); // thrown below, when all have ended
    await Promise.allSettled(works);
    await why;
  };
}
