import test from 'ava';

import { BoundedQueue, CoalescingQueue, ProgressLog, WaitingError } from '@nodecore/waiting';

import { listeners, settle, stateOf } from './listeners.ts';

const enough = new Error('enough');

test('items come out in the order they came in, and the end after the last', async (t) => {
  const queue = new BoundedQueue<number>({ max: 3 });
  for (const item of [1, 2, 3]) await queue.push(item);
  queue.close();
  t.is(queue.length, 3);
  t.deepEqual(await Array.fromAsync(queue), [1, 2, 3]);
});

test('who brings more than fits waits for room, in the order of coming', async (t) => {
  const queue = new BoundedQueue<string>({ max: 2 });
  await queue.push('a');
  await queue.push('b');
  const c = queue.push('c');
  const d = queue.push('d');
  t.is(await stateOf(c), 'pending');
  const reader = queue.read();
  t.is((await reader.next()).value, 'a');
  await c;
  t.is(await stateOf(d), 'pending');
  t.is((await reader.next()).value, 'b');
  await d;
  queue.close();
  t.deepEqual(await Array.fromAsync(reader), ['c', 'd']);
});

test('room is counted by weight; a light item does not overtake a heavy one', async (t) => {
  const queue = new BoundedQueue<string>({ max: 10, weigh: (text) => text.length });
  await queue.push('eight...');
  const heavy = queue.push('four');
  const light = queue.push('1');
  t.is(await stateOf(heavy), 'pending');
  t.is(await stateOf(light), 'pending');
  const reader = queue.read();
  await reader.next();
  await Promise.all([heavy, light]);
  t.is(queue.length, 2);
});

test('an item heavier than all room comes in alone', async (t) => {
  const queue = new BoundedQueue<string>({ max: 2, weigh: (text) => text.length });
  await queue.push('far too long');
  const next = queue.push('a');
  t.is(await stateOf(next), 'pending');
  const reader = queue.read();
  t.is((await reader.next()).value, 'far too long');
  await next;
  queue.close();
  t.deepEqual(await Array.fromAsync(reader), ['a']);
});

test('a reader that comes first waits', async (t) => {
  const queue = new BoundedQueue<number>({ max: 1 });
  const reader = queue.read();
  const first = reader.next();
  t.is(await stateOf(first), 'pending');
  await queue.push(1);
  t.is((await first).value, 1);
  const end = reader.next();
  queue.close();
  t.true((await end).done);
});

test('after the close who waits for room is still read, and nobody else comes in', async (t) => {
  const queue = new BoundedQueue<number>({ max: 1 });
  await queue.push(1);
  const second = queue.push(2);
  queue.close();
  queue.close();
  queue.fail(enough); // the end has been said
  const error = await t.throwsAsync(queue.push(3), { instanceOf: WaitingError });
  t.is(error.code, 'ERR_QUEUE_CLOSED');
  t.deepEqual(await Array.fromAsync(queue), [1, 2]);
  await second;
});

test('a failure goes to the reader and to all who wait for room; what is here is dropped', async (t) => {
  const queue = new BoundedQueue<number>({ max: 1 });
  const reader = queue.read();
  const waiting = reader.next();
  await queue.push(1);
  await waiting;
  await queue.push(2);
  const room = queue.push(3);
  queue.fail(enough);
  queue.fail(new Error('again'));
  queue.close();
  t.is(queue.length, 0);
  t.is(await t.throwsAsync(room), enough);
  t.is(await t.throwsAsync(queue.push(4)), enough);
  t.is(await t.throwsAsync(reader.next()), enough);
});

test('a reader that leaves lets nobody wait for it', async (t) => {
  const queue = new BoundedQueue<number>({ max: 1 });
  await queue.push(1);
  const second = queue.push(2);
  const third = queue.push(3);
  for await (const item of queue) {
    t.is(item, 1);
    break;
  }
  await second; // came in when the first was read
  await t.throwsAsync(third, { code: 'ERR_QUEUE_CLOSED' });
  await t.throwsAsync(queue.push(4), { code: 'ERR_QUEUE_CLOSED' });
  await t.throwsAsync(queue.read().next(), { instanceOf: TypeError });
});

test('a push ends with the reason before and while it waits; what waited behind it comes in', async (t) => {
  const queue = new BoundedQueue<string>({ max: 10, weigh: (text) => text.length });
  const stop = new AbortController();
  await queue.push('seven..', stop.signal);
  const heavy = queue.push('five.', stop.signal);
  const light = queue.push('1');
  await settle();
  t.is(listeners(stop.signal), 1);
  stop.abort(enough);
  t.is(await t.throwsAsync(heavy), enough);
  await light;
  t.is(await t.throwsAsync(queue.push('2', stop.signal)), enough);
  t.is(listeners(stop.signal), 0);
  queue.close();
  t.deepEqual(await Array.fromAsync(queue), ['seven..', '1']);
});

test('an abort after the item came in takes it from nobody', async (t) => {
  const queue = new BoundedQueue<number>({ max: 1 });
  const stop = new AbortController();
  await queue.push(1);
  const second = queue.push(2, stop.signal);
  const reader = queue.read();
  const first = reader.next();
  await first;
  stop.abort(enough);
  await second;
  t.is((await reader.next()).value, 2);
});

test('an aborted reader throws the reason, as an early end is none, and has left', async (t) => {
  for (const when of ['before', 'while'] as const) {
    const queue = new BoundedQueue<number>({ max: 1 });
    const stop = new AbortController();
    const reader = queue.read(stop.signal);
    if (when === 'before') stop.abort(enough);
    const next = reader.next();
    await settle();
    stop.abort(enough);
    t.is(await t.throwsAsync(next), enough);
    t.is(listeners(stop.signal), 0);
    await t.throwsAsync(queue.push(1), { code: 'ERR_QUEUE_CLOSED' });
  }
});

test('what has been read is not kept', async (t) => {
  const queue = new BoundedQueue<Uint8Array>({ max: 16, weigh: () => 1 });
  const { signal } = new AbortController();
  const reader = queue.read(signal);
  const refs: WeakRef<Uint8Array>[] = [];
  for (let index = 0; index < 100; index += 1) {
    const item = new Uint8Array(10_000);
    refs.push(new WeakRef(item));
    await queue.push(item, signal);
    if (index % 2 === 1) for (let two = 0; two < 2; two += 1) await reader.next();
  }
  await settle();
  globalThis.gc?.();
  t.true(refs.filter((ref) => ref.deref() !== undefined).length < 10);
  t.is(queue.length, 0);
  t.is(listeners(signal), 0);
});

test('a producer and a reader keep in step over many items', async (t) => {
  const queue = new BoundedQueue<number>({ max: 7 });
  const produce = async (): Promise<void> => {
    for (let index = 0; index < 10_000; index += 1) await queue.push(index);
    queue.close();
  };
  const produced = produce();
  let expected = 0;
  for await (const item of queue) {
    if (item !== expected || queue.length > 7)
      t.fail(`${item} after ${expected}, ${queue.length} in the queue`);
    expected += 1;
  }
  await produced;
  t.is(expected, 10_000);
});

type Status = { readonly id: string; readonly size: number };

test('of the values with one key that wait the newest is read, at the place of the first', async (t) => {
  const queue = new CoalescingQueue<Status>(({ id }) => id);
  for (const [id, size] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    queue.push({ id, size });
  const batches = queue.batches();
  t.deepEqual((await batches.next()).value, [
    { id: 'a', size: 3 },
    { id: 'b', size: 2 },
  ]);
  const next = batches.next();
  t.is(await stateOf(next), 'pending');
  queue.push({ id: 'b', size: 4 });
  t.deepEqual((await next).value, [{ id: 'b', size: 4 }]);
  queue.push({ id: 'b', size: 5 });
  queue.end();
  t.deepEqual(await Array.fromAsync(batches), [[{ id: 'b', size: 5 }]]);
});

test('values come one after the other, and the last of a key is never missed', async (t) => {
  const queue = new CoalescingQueue<Status>(({ id }) => id);
  queue.push({ id: 'a', size: 1 });
  queue.push({ id: 'b', size: 2 });
  const values = queue.values();
  t.deepEqual((await values.next()).value, { id: 'a', size: 1 });
  queue.push({ id: 'a', size: 3 });
  queue.push({ id: 'a', size: 4 });
  queue.end();
  t.deepEqual(await Array.fromAsync(values), [
    { id: 'b', size: 2 },
    { id: 'a', size: 4 },
  ]);
});

test('a coalescing queue ends without an error when its signal fires, before and while it is read', async (t) => {
  for (const read of ['values', 'batches'] as const) {
    const queue = new CoalescingQueue<Status>(({ id }) => id);
    const stop = new AbortController();
    const next = queue[read](stop.signal).next();
    await settle();
    t.is(listeners(stop.signal), 1);
    stop.abort(enough);
    t.true((await next).done);
    queue.push({ id: 'a', size: 1 });
    t.true((await queue[read](stop.signal).next()).done);
    t.is(listeners(stop.signal), 0);
  }
});

test('who reads a progress log late gets all of it, each reader at its own pace', async (t) => {
  const log = new ProgressLog<string | undefined>();
  log.append('one');
  const early = log.entries();
  t.is((await early.next()).value, 'one');
  const next = early.next();
  t.is(await stateOf(next), 'pending');
  log.append(undefined);
  t.deepEqual(await next, { done: false, value: undefined });
  log.append('three');
  const late = Array.fromAsync(log.entries());
  log.end();
  log.end();
  t.deepEqual(await late, ['one', undefined, 'three']);
  t.deepEqual(await Array.fromAsync(early), ['three']);
});

test('a reader of a progress log throws the reason of its signal and holds up nobody', async (t) => {
  const log = new ProgressLog<string>();
  const stop = new AbortController();
  const next = log.entries(stop.signal).next();
  await settle();
  stop.abort(enough);
  t.is(await t.throwsAsync(next), enough);
  t.is(await t.throwsAsync(log.entries(stop.signal).next()), enough);
  t.is(listeners(stop.signal), 0);
  log.append('on it goes');
});
