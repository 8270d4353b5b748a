import test from 'ava';
import { pino } from 'pino';

import { superviseController } from '../src/supervisor/supervise-controller.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const log = pino({ level: 'silent' });

test('a controller that fails is started again after a growing delay, and others go on', async (t) => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const starts: number[] = [];
  let steady = 0;
  const options = { log, clock, signal: stop.signal };
  const failing = superviseController(
    'failing',
    async () => {
      starts.push(clock.now());
      throw new Error('boom');
    },
    options,
  );
  const other = superviseController(
    'steady',
    async (signal) => {
      steady += 1;
      await clock.sleep(1e9, signal);
    },
    options,
  );
  for (let round = 0; round < 6; round += 1) {
    while (clock.sleepers < 2) await new Promise(setImmediate);
    clock.advance(30_000);
  }
  while (clock.sleepers < 2) await new Promise(setImmediate);
  stop.abort();
  await Promise.all([failing, other]);
  t.is(starts.length, 7);
  t.is(steady, 1);
});

test('a controller that ends by itself is started again', async (t) => {
  const clock = new FakeClock();
  const stop = new AbortController();
  let starts = 0;
  const running = superviseController(
    'short',
    async () => {
      starts += 1;
    },
    { log, clock, signal: stop.signal },
  );
  while (clock.sleepers < 1) await new Promise(setImmediate);
  clock.advance(1_000);
  while (clock.sleepers < 1) await new Promise(setImmediate);
  stop.abort();
  await running;
  t.is(starts, 2);
});
