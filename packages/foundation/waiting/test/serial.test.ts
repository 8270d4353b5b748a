import test from 'ava';

import { Backoff, Serial, TokenBucket } from '@nodecore/waiting';

test('tasks run one at a time in the order of arrival', async (t) => {
  const serial = new Serial();
  const events: string[] = [];
  const task = (name: string) => async () => {
    events.push(`start ${name}`);
    await new Promise((resolve) => setImmediate(resolve));
    events.push(`end ${name}`);
  };
  await Promise.all([serial.run(task('a')), serial.run(task('b')), serial.run(task('c'))]);
  t.deepEqual(events, ['start a', 'end a', 'start b', 'end b', 'start c', 'end c']);
});

test('a failed task rejects its caller and does not stop the next', async (t) => {
  const serial = new Serial();
  const failed = serial.run(() => Promise.reject(new Error('broken')));
  const next = serial.run(() => 7);
  await t.throwsAsync(failed, { message: 'broken' });
  t.is(await next, 7);
});

test('a task aborted while it waits never starts', async (t) => {
  const serial = new Serial();
  const controller = new AbortController();
  const gate = Promise.withResolvers<void>();
  const first = serial.run(() => gate.promise);
  const second = serial.run(() => t.fail('must not start'), controller.signal);
  controller.abort(new Error('enough'));
  await new Promise((resolve) => setImmediate(resolve));
  gate.resolve();
  await first;
  await t.throwsAsync(second, { message: 'enough' });
});

test('back-off doubles up to its limit, never below half', (t) => {
  const backoff = new Backoff({ firstMs: 1000, largestMs: 5000, random: () => 0 });
  t.deepEqual([backoff.next(), backoff.next(), backoff.next(), backoff.next()], [1000, 2000, 4000, 5000]);
  const shortest = new Backoff({ firstMs: 1000, largestMs: 5000, random: () => 0.999_999 });
  t.is(shortest.next(), 500);
  backoff.reset();
  t.is(backoff.next(), 1000);
});

test('a token bucket lets a burst pass, then so many each second, and a clock that is set back gives nothing', (t) => {
  const bucket = new TokenBucket({ burst: 2, perSecond: 0.5 }, 10_000);
  t.true(bucket.isFull(10_000));
  t.deepEqual([bucket.take(10_000), bucket.take(10_000), bucket.take(10_000)], [true, true, false]);
  t.false(bucket.take(11_999));
  t.true(bucket.take(12_000));
  t.false(bucket.take(0));
  t.false(bucket.isFull(3_999));
  t.true(bucket.isFull(4_000));
  t.deepEqual([bucket.take(9e9), bucket.take(9e9), bucket.take(9e9)], [true, true, false]);
});
