import test from 'ava';

import { Latest, Signal } from '@nodecore/waiting';

import { HandClock } from './hand-clock.ts';
import { listeners, settle, stateOf } from './listeners.ts';

const enough = new Error('enough');

test('a notification that nobody waits for is kept for the next wait; several become one', async (t) => {
  const signal = new Signal();
  signal.notify();
  signal.notify();
  t.true(signal.notified);
  await signal.wait();
  t.false(signal.notified);
  const second = signal.wait();
  t.is(await stateOf(second), 'pending');
  signal.notify();
  await second;
  t.false(signal.notified);
});

test('what is cleared wakes nobody', async (t) => {
  const signal = new Signal();
  signal.notify();
  signal.clear();
  const waiting = signal.wait();
  t.is(await stateOf(waiting), 'pending');
  signal.notify();
  await waiting;
});

test('of two who wait, each notification is for one, in the order of coming', async (t) => {
  const signal = new Signal();
  const first = signal.wait();
  const second = signal.wait();
  signal.notify();
  await first;
  t.is(await stateOf(second), 'pending');
  signal.notify();
  await second;
});

test('next wakes everybody, takes a notification from nobody, and is not served by one that is kept', async (t) => {
  const signal = new Signal();
  signal.notify();
  const both = Promise.all([signal.next(), signal.next()]);
  t.is(await stateOf(both), 'pending');
  signal.notify();
  await both;
  t.true(signal.notified);
});

test('a wait ends with the reason before and while it waits, and not after', async (t) => {
  for (const wait of ['wait', 'next'] as const) {
    const signal = new Signal();
    const abort = new AbortController();
    const waiting = signal[wait](abort.signal);
    t.is(await stateOf(waiting), 'pending');
    t.is(listeners(abort.signal), 1);
    abort.abort(enough);
    t.is(await t.throwsAsync(waiting), enough);
    t.is(await t.throwsAsync(signal[wait](abort.signal)), enough);
    t.is(listeners(abort.signal), 0);

    const later = new AbortController();
    const served = signal[wait](later.signal);
    signal.notify();
    later.abort(enough); // too late
    await served;
    t.is(listeners(later.signal), 0);
  }
});

test('an aborted wait leaves a kept notification for the next', async (t) => {
  const signal = new Signal();
  signal.notify();
  t.is(await t.throwsAsync(signal.wait(AbortSignal.abort(enough))), enough);
  t.true(signal.notified);
  await signal.wait();
});

test('waitFor says whether there was a notification, and leaves neither timer nor listener', async (t) => {
  const clock = new HandClock();
  const signal = new Signal();
  const abort = new AbortController();
  const options = { clock, signal: abort.signal };
  const late = signal.waitFor(100, options);
  clock.advance(99);
  t.is(await stateOf(late), 'pending');
  clock.advance(1);
  t.false(await late);

  const intime = signal.waitFor(100, options);
  signal.notify();
  t.true(await intime);
  signal.notify();
  t.true(await signal.waitFor(100, options));
  const unlimited = signal.waitFor(undefined, options);
  clock.advance(1e9);
  t.is(await stateOf(unlimited), 'pending');
  signal.notify();
  t.true(await unlimited);

  const given = signal.waitFor(100, options);
  abort.abort(enough);
  t.is(await t.throwsAsync(given), enough);
  signal.notify();
  t.is(await t.throwsAsync(signal.waitFor(100, options)), enough);
  t.true(signal.notified);
  await settle();
  t.is(clock.sleepers, 0);
  t.is(listeners(abort.signal), 0);
});

test('waitFor passes on what the clock fails with', async (t) => {
  const clock = { now: () => 0, sleep: () => Promise.reject(new Error('no timers left')) };
  await t.throwsAsync(new Signal().waitFor(1, { clock }), { message: 'no timers left' });
});

test('a reader of the latest value starts with the present one and skips what it was too slow for', async (t) => {
  const latest = new Latest<number>();
  t.is(latest.value, undefined);
  latest.set(1);
  const reader = latest.changes();
  t.is((await reader.next()).value, 1);
  latest.set(2);
  latest.set(3);
  t.is((await reader.next()).value, 3);
  const next = reader.next();
  t.is(await stateOf(next), 'pending');
  latest.set(4);
  t.is((await next).value, 4);
  t.is(latest.value, 4);
  t.is((await latest[Symbol.asyncIterator]().next()).value, 4);
});

test('an equal value is a change, and so is undefined', async (t) => {
  const latest = new Latest<undefined>();
  const reader = latest.changes();
  const first = reader.next();
  latest.set(undefined);
  t.deepEqual(await first, { done: false, value: undefined });
  const second = reader.next();
  latest.set(undefined);
  t.deepEqual(await second, { done: false, value: undefined });
});

test('a reader ends without an error when its signal fires, before, between and while it waits', async (t) => {
  const latest = new Latest<number>();
  const abort = new AbortController();
  const waiting = latest.changes(abort.signal).next();
  await settle();
  t.is(listeners(abort.signal), 1);
  latest.set(1);
  await waiting;
  t.is(listeners(abort.signal), 0);
  const slow = latest.changes(abort.signal);
  await slow.next();
  const again = latest.changes(abort.signal);
  await again.next();
  const pending = again.next();
  await settle();
  latest.set(2);
  abort.abort(enough);
  t.true((await pending).done); // the end goes before a value of the same moment
  t.true((await slow.next()).done);
  t.true((await latest.changes(abort.signal).next()).done);
  t.is(listeners(abort.signal), 0);
});

test('when waits for a value that satisfies, and gets the present one at once', async (t) => {
  const latest = new Latest<number>();
  const { signal } = new AbortController();
  const big = latest.when((value) => value > 10, signal);
  latest.set(1);
  t.is(await stateOf(big), 'pending');
  latest.set(11);
  t.is(await big, 11);
  t.is(await latest.when((value) => value === 11), 11);
  t.is(listeners(signal), 0);
});

test('when rejects with the reason, and with what the predicate throws', async (t) => {
  const latest = new Latest<number>();
  const abort = new AbortController();
  const waiting = latest.when(() => true, abort.signal);
  await settle();
  abort.abort(enough);
  t.is(await t.throwsAsync(waiting), enough);
  latest.set(1);
  t.is(await t.throwsAsync(latest.when(() => true, abort.signal)), enough);
  const broken = latest.when(() => {
    throw new Error('broken');
  });
  await t.throwsAsync(broken, { message: 'broken' });
  t.is(listeners(abort.signal), 0);
});

test.serial('many waits on one signal keep nothing', async (t) => {
  const latest = new Latest<number>();
  const signal = new Signal();
  const { signal: stop } = new AbortController();
  const round = async (): Promise<void> => {
    const next = Promise.all([signal.wait(stop), latest.when((value) => value === 1, stop)]);
    latest.set(1);
    signal.notify();
    await next;
    latest.set(0);
  };
  for (let index = 0; index < 1000; index += 1) await round();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 20_000; index += 1) await round();
  globalThis.gc?.();
  const grown = process.memoryUsage().heapUsed - before;
  t.true(grown < 400_000, `${grown} bytes`); // 20 bytes a round would be as much
  t.is(listeners(stop), 0);
});
