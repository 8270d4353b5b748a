import test from 'ava';

import { KeyedLock, Serial } from '@nodecore/waiting';

import { listeners, settle, stateOf } from './listeners.ts';

const enough = new Error('enough');

/** Asks for keys and notes when they come. */
function ask(lock: KeyedLock, name: string, keys: readonly string[], order: string[], signal?: AbortSignal) {
  const held = lock.take(keys, signal).then((taken) => {
    order.push(name);
    return taken;
  });
  held.catch(() => {}); // some tests look at it later
  return held;
}

test('a key has one holder at a time, in the order of asking; other keys go on', async (t) => {
  const lock = new KeyedLock();
  const order: string[] = [];
  const a = ask(lock, 'a', ['sda'], order);
  const b = ask(lock, 'b', ['sda'], order);
  const c = ask(lock, 'c', ['sdb'], order);
  const d = ask(lock, 'd', ['sda'], order);
  await settle();
  t.deepEqual(order, ['a', 'c']);
  (await a)[Symbol.dispose]();
  (await a)[Symbol.dispose](); // twice is fine
  await settle();
  t.deepEqual(order, ['a', 'c', 'b']);
  (await b)[Symbol.dispose]();
  await d;
  (await c)[Symbol.dispose]();
});

test('keys that are free are there without a turn of the loop', async (t) => {
  let taken = false;
  void new KeyedLock().take(['sda']).then(() => (taken = true));
  for (let index = 0; index < 4; index += 1) await Promise.resolve();
  t.true(taken);
});

test('who needs two keys is not overtaken, and never holds one while waiting for the other', async (t) => {
  const lock = new KeyedLock();
  const order: string[] = [];
  const a = ask(lock, 'a', ['sda'], order);
  const both = ask(lock, 'both', ['sda', 'sdb', 'sda'], order);
  const late = ask(lock, 'late', ['sdb'], order);
  const other = ask(lock, 'other', ['sdc'], order);
  await settle();
  t.deepEqual(order, ['a', 'other']);
  (await a)[Symbol.dispose]();
  await settle();
  t.deepEqual(order, ['a', 'other', 'both']);
  (await both)[Symbol.dispose]();
  await late;
  (await other)[Symbol.dispose]();
});

test('two who need the same two keys in another order never wait for each other', async (t) => {
  const lock = new KeyedLock();
  const done: string[] = [];
  const work = (name: string, keys: readonly string[]) =>
    lock.run(keys, () => settle().then(() => done.push(name)));
  await Promise.all([
    work('1', ['a', 'b']),
    work('2', ['b', 'a']),
    work('3', ['c', 'a']),
    work('4', ['b', 'c']),
    work('5', ['c', 'b', 'a']),
  ]);
  t.deepEqual(done, ['1', '2', '3', '4', '5']);
});

test('no more hold keys at once than the largest number, and the one who asked first goes first', async (t) => {
  const lock = new KeyedLock({ max: 2 });
  const order: string[] = [];
  const first = ask(lock, '1', ['a'], order);
  const second = ask(lock, '2', ['b'], order);
  void ask(lock, '3', ['a'], order); // ready after 4 is, but asked before it
  void ask(lock, '4', ['c'], order);
  void ask(lock, 'none', [], order);
  await settle();
  t.deepEqual(order, ['1', '2']);
  (await first)[Symbol.dispose]();
  await settle();
  t.deepEqual(order, ['1', '2', '3']);
  (await second)[Symbol.dispose]();
  await settle();
  t.deepEqual(order, ['1', '2', '3', '4']);
});

test('who stops waiting is rejected at once and holds nobody back', async (t) => {
  const lock = new KeyedLock();
  const order: string[] = [];
  const a = ask(lock, 'a', ['sda'], order);
  const stop = new AbortController();
  const both = ask(lock, 'both', ['sda', 'sdb'], order, stop.signal);
  const b = ask(lock, 'b', ['sdb'], order);
  await settle();
  t.is(listeners(stop.signal), 1);
  stop.abort(enough);
  t.is(await t.throwsAsync(both), enough);
  await settle();
  t.deepEqual(order, ['a', 'b']);
  t.is(await t.throwsAsync(lock.take(['sdz'], stop.signal)), enough);
  t.is(listeners(stop.signal), 0);
  (await a)[Symbol.dispose]();
  (await b)[Symbol.dispose]();
});

test('an abort that comes after the keys takes them from nobody', async (t) => {
  const lock = new KeyedLock();
  const stop = new AbortController();
  const held = lock.take(['sda'], stop.signal);
  stop.abort(enough); // they were there already
  const next = lock.take(['sda']);
  const taken = await held;
  t.is(listeners(stop.signal), 0);
  t.is(await stateOf(next), 'pending');
  taken[Symbol.dispose]();
  await next;
});

test('run gives the keys back when the task fails, and does not begin it after an abort', async (t) => {
  const lock = new KeyedLock<number>();
  await t.throwsAsync(
    lock.run([1], () => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  );
  const thrown = lock.run([1], () => {
    throw new Error('at once');
  });
  await t.throwsAsync(thrown, { message: 'at once' });
  const gate = Promise.withResolvers<void>();
  const first = lock.run([1], () => gate.promise);
  const stop = new AbortController();
  const second = lock.run([1], () => t.fail('must not start'), stop.signal);
  stop.abort(enough);
  t.is(await t.throwsAsync(second), enough);
  gate.resolve();
  await first;
  t.is(await lock.run([1], () => 7), 7);
});

test('a thousand who wait for one key get it in the order of asking', async (t) => {
  const lock = new KeyedLock();
  const order: number[] = [];
  const all = Array.from({ length: 1000 }, (_, index) =>
    lock.run([index % 3 === 0 ? 'b' : 'a', 'a'], () => void order.push(index)),
  );
  await Promise.all(all);
  t.deepEqual(order, [...order.keys()]);
});

test.serial('keys that nobody holds any more take no memory', async (t) => {
  const lock = new KeyedLock();
  const { signal } = new AbortController();
  const round = async (name: string): Promise<void> => {
    const held = await lock.take([name], signal);
    const stop = new AbortController();
    const left = t.throwsAsync(lock.take([name, `${name} too`], stop.signal), { is: enough });
    stop.abort(enough);
    await left;
    held[Symbol.dispose]();
  };
  for (let index = 0; index < 100; index += 1) await round(`first ${index}`);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 2000; index += 1) {
    using _held = await lock.take([`a disk that came and went ${index}`.repeat(20)], signal);
  }
  globalThis.gc?.();
  const grown = process.memoryUsage().heapUsed - before;
  t.true(grown < 500_000, `${grown} bytes`);
  t.is(listeners(signal), 0);
});

test('a task that waits in a serial queue is rejected at once when its signal fires', async (t) => {
  const serial = new Serial();
  const gate = Promise.withResolvers<void>();
  const stop = new AbortController();
  const first = serial.run(() => gate.promise, stop.signal);
  const second = serial.run(() => t.fail('must not start'), stop.signal);
  await settle();
  stop.abort(enough);
  t.is(await t.throwsAsync(second), enough);
  t.is(await t.throwsAsync(serial.run(() => t.fail('must not start'), stop.signal)), enough);
  t.is(await stateOf(first), 'pending'); // what has started is not interrupted
  t.is(listeners(stop.signal), 0);
  gate.resolve();
  await first;
  const { signal } = new AbortController();
  await t.throwsAsync(
    serial.run(() => Promise.reject(new Error('broken')), signal),
    { message: 'broken' },
  );
  t.is(await serial.run(() => 7, signal), 7);
  t.is(listeners(signal), 0);
});
