import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { type HandleItem, ItemQueue, type ItemResult } from '../src/item-queue.ts';

/** Runs of items that a test ends one by one. */
class Runs {
  readonly began: string[] = [];
  readonly #open = new Map<string, (result: ItemResult) => void>();

  readonly handle: HandleItem = (item) => {
    this.began.push(item);
    const { promise, resolve } = Promise.withResolvers<ItemResult>();
    this.#open.set(item, resolve);
    return promise;
  };

  async end(item: string, result: ItemResult = {}): Promise<void> {
    this.#open.get(item)?.(result);
    await turn();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

type Parts = {
  readonly runs: Runs;
  readonly clock: FakeClock;
  readonly queue: ItemQueue;
  readonly stop: AbortController;
};

function queueOf(concurrency = 1): Parts {
  const [runs, clock, stop] = [new Runs(), new FakeClock(), new AbortController()];
  const delays = { firstMs: 1000, maxMs: 8000, random: () => 0 };
  const queue = new ItemQueue({ concurrency, clock, ...delays, handle: runs.handle }, stop.signal);
  return { runs, clock, queue, stop };
}

test('an item that is woken while it runs runs once more, however often that was', async (t) => {
  const { runs, queue } = queueOf();
  queue.wake('a');
  queue.wake('a');
  queue.wake('a');
  await runs.end('a');
  t.deepEqual(runs.began, ['a', 'a']);
  await runs.end('a');
  t.deepEqual(runs.began, ['a', 'a']);
  t.is(queue.size, 0);
});

test('items run in the order in which they were woken, as many at a time as allowed', async (t) => {
  const { runs, queue } = queueOf(2);
  for (const item of ['a', 'b', 'c', 'd']) queue.wake(item);
  t.deepEqual(runs.began, ['a', 'b']);
  await runs.end('b');
  t.deepEqual(runs.began, ['a', 'b', 'c']);
  await runs.end('a');
  t.deepEqual(runs.began, ['a', 'b', 'c', 'd']);
});

test('an item that fails waits longer each time, up to the largest delay, and delays no other', async (t) => {
  const { runs, clock, queue } = queueOf();
  queue.wake('bad');
  for (const delayMs of [1000, 2000, 4000, 8000, 8000]) {
    await runs.end('bad', { again: 'failed' });
    const began = runs.began.length;
    clock.advance(delayMs - 1);
    await turn();
    t.is(runs.began.length, began, `nothing before ${delayMs} ms`);
    queue.wake('good');
    await runs.end('good');
    clock.advance(1);
    await turn();
    t.deepEqual(runs.began.slice(began), ['good', 'bad']);
  }
  t.is(queue.failuresOf('bad'), 5);
});

test('a change ends the delay of an item that failed, and a success its row of failures', async (t) => {
  const { runs, clock, queue } = queueOf();
  queue.wake('a');
  await runs.end('a', { again: 'failed' });
  queue.wake('a');
  t.deepEqual(runs.began, ['a', 'a']);
  await runs.end('a', { again: { afterMs: 60_000 } });
  t.is(queue.failuresOf('a'), 0);
  t.is(clock.sleepers, 1, 'the ended delay is not slept on');
  clock.advance(60_000);
  await turn();
  t.is(runs.began.length, 3);
});

test('after the end nothing begins, and what runs is waited for', async (t) => {
  const { runs, clock, queue, stop } = queueOf();
  queue.wake('a');
  queue.wake('b');
  let isDrained = false;
  stop.abort();
  const drained = queue.drained().then(() => (isDrained = true));
  await turn();
  t.false(isDrained);
  await runs.end('a', { again: 'failed' });
  await drained;
  queue.wake('c');
  t.deepEqual(runs.began, ['a']);
  t.is(clock.sleepers, 0);
});
