import { setImmediate as turn } from 'node:timers/promises';

import test from 'ava';

import { ChangeSet } from '../src/discovery/change-set.ts';
import { withDeadline } from '../src/devices/deadline.ts';
import { BlockError } from '../src/errors.ts';
import { Slots } from '../src/devices/slots.ts';

function call(): { calls: string[]; options: Parameters<typeof withDeadline>[1] } {
  const calls: string[] = [];
  const options = {
    device: '/dev/x',
    onSlow: () => calls.push('slow') > 0,
    onUnresponsive: () => calls.push('unresponsive'),
    patience: { slowMs: 1, deadlineMs: 5 },
  };
  return { calls, options };
}

test('a call that does not return is slow first, then unresponsive with its own code', async (t) => {
  const { calls, options } = call();
  const error = await t.throwsAsync(withDeadline(new Promise(() => {}), options), { instanceOf: BlockError });
  t.like(error, { code: 'ERR_BLOCK_UNRESPONSIVE', device: '/dev/x' });
  t.is(calls[0], 'slow');
  t.is(calls.at(-1), 'unresponsive');
});

test('the time of a call begins with it, not while it waits for its turn', async (t) => {
  const { calls, options } = call();
  let turns = 3;
  const onSlow = (): boolean => {
    turns -= 1;
    calls.push(turns > 0 ? 'waits' : 'slow');
    return turns <= 0;
  };
  const patience = { slowMs: 10, deadlineMs: 25 };
  const started = performance.now();
  await t.throwsAsync(withDeadline(new Promise(() => {}), { ...options, onSlow, patience }));
  t.true(performance.now() - started >= 40); // 25 after the second look, which found it waiting
  t.deepEqual(calls.slice(0, 3), ['waits', 'waits', 'slow']);
  t.is(calls.at(-1), 'unresponsive');
});

test('a call that returns or fails in time is neither', async (t) => {
  const { calls, options } = call();
  t.is(await withDeadline(Promise.resolve(7), options), 7);
  await t.throwsAsync(withDeadline(Promise.reject(new Error('gone')), options), { message: 'gone' });
  t.deepEqual(calls, []);
});

test('an answer that the main thread has not come to yet is an answer in time', async (t) => {
  const { calls, options } = call();
  await turn(); // what is asked for from here on comes after the timers that are due
  const waiting = withDeadline(turn(7), options);
  const end = performance.now() + 20;
  while (performance.now() < end);
  t.is(await waiting, 7);
  t.false(calls.includes('unresponsive'));
});

test('an abort ends the wait with its reason, and says nothing about the device', async (t) => {
  const { calls, options } = call();
  const controller = new AbortController();
  const patience = { slowMs: 60_000 };
  const waiting = withDeadline(new Promise(() => {}), { ...options, patience, signal: controller.signal });
  const reason = new Error('stop');
  controller.abort(reason);
  t.is(await t.throwsAsync(waiting), reason);
  t.deepEqual(calls, []);
});

test('slots are handed on in the order of asking, and giving back twice counts once', async (t) => {
  const slots = new Slots(1);
  const first = await slots.take();
  const order: number[] = [];
  const second = slots.take().then((release) => (order.push(2), release));
  const third = slots.take().then((release) => (order.push(3), release));
  first();
  first();
  const release = await second;
  t.deepEqual(order, [2]);
  release();
  (await third)();
  t.deepEqual(order, [2, 3]);
});

test('changes are gathered until they are taken', async (t) => {
  const changes = new ChangeSet();
  changes.add('sda');
  changes.add('sdb');
  changes.add('sda');
  await changes.wait();
  t.deepEqual(changes.take(), new Set(['sda', 'sdb']));
  const waiting = changes.wait();
  changes.touch();
  await waiting;
  t.deepEqual(changes.take(), new Set());
  changes.add('sda');
  changes.addAll();
  await changes.wait();
  t.is(changes.take(), undefined);
});

test('a failure ends the wait, now and later', async (t) => {
  const changes = new ChangeSet();
  const waiting = changes.wait();
  const failure = new Error('broken');
  changes.fail(failure);
  t.is(await t.throwsAsync(waiting), failure);
  t.is(await t.throwsAsync(changes.wait()), failure);
});
