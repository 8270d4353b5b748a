import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import { trimFreedMemory } from '../src/ffi.ts';
import { giveBackFreed } from '../src/freed-memory.ts';

const mebibyte = 1 << 20;

test('freed memory is given back after the start, and again when the process has grown', async (t) => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const trims: number[] = [];
  let residentBytes = 200 * mebibyte;
  const running = giveBackFreed(
    {
      log: pino({ level: 'silent' }),
      clock,
      resident: () => residentBytes,
      trim: async () => {
        trims.push(residentBytes / mebibyte);
        residentBytes -= 10 * mebibyte;
      },
    },
    stop.signal,
  );
  const look = async (): Promise<void> => {
    while (clock.sleepers === 0) await new Promise(setImmediate);
    clock.skip();
    while (clock.sleepers === 0) await new Promise(setImmediate);
  };
  await look();
  t.deepEqual(trims, [200]);
  residentBytes = 197 * mebibyte;
  await look();
  t.deepEqual(trims, [200], 'what malloc keeps for the next use is its own');
  residentBytes = 198 * mebibyte;
  await look();
  t.deepEqual(trims, [200, 198]);
  stop.abort();
  await running;
});

test('the event loop goes on while memory is given back', async (t) => {
  const events: string[] = [];
  const trimmed = trimFreedMemory().then(() => events.push('trimmed'));
  events.push('goes on');
  await trimmed;
  t.deepEqual(events, ['goes on', 'trimmed']);
});
