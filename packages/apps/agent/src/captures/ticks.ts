import type { Clock } from '@nodecore/waiting';

/**
 * The items of a source, and `undefined` whenever `everyMs` have passed. An item is asked for only after the one before
 * was dealt with. Leaving the loop does not wait for a source that has nothing to say; its owner ends it.
 */
export async function* withTicks<Item>(
  source: AsyncIterable<Item>,
  everyMs: number,
  clock: Clock,
): AsyncGenerator<Item | undefined, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const over = new AbortController();
  const nextTick = async (): Promise<undefined> => {
    await clock.sleep(everyMs, over.signal).catch(() => {});
  };
  let tick = nextTick();
  let next = iterator.next();
  try {
    for (;;) {
      const first = await Promise.race([next, tick]);
      if (first === undefined) {
        tick = nextTick();
        yield undefined;
      } else if (first.done === true) {
        return;
      } else {
        yield first.value;
        next = iterator.next();
      }
    }
  } finally {
    over.abort();
    next.catch(() => {}); // of a source that its owner ends
    void iterator.return?.().catch(() => {});
  }
}
