import { setImmediate as turn } from 'node:timers/promises';

import test from 'ava';

import { FakeClock } from '@nodecore/testkit/fake-clock';
import { DeviceCalls } from '../../src/devices/device-calls.ts';
import { BlockError } from '../../src/errors.ts';
import { patiently } from '../../src/devices/patiently.ts';

const deadlineMs = 10_000;

/** A pool of threads whose queue moves on when the test says so. */
class Pool {
  #turns: (() => void)[] = [];
  stands = false;

  readonly through = async (): Promise<void> => {
    if (this.stands) await new Promise<void>((resolve) => this.#turns.push(resolve));
  };

  /** Everything that waits for a thread gets one. */
  move(): void {
    this.stands = false;
    for (const goOn of this.#turns.splice(0)) goOn();
  }
}

/** Lets time pass; what is due by then happens. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  const end = clock.now() + ms;
  void clock.sleep(ms);
  do {
    await turn();
    clock.skip();
    await turn();
  } while (clock.now() < end);
}

function reading(path: string, run: () => Promise<string>, pool = new Pool()) {
  const clock = new FakeClock();
  const calls = new DeviceCalls({ deadlineMs, clock, throughPool: pool.through });
  const result = patiently(path, calls, () => calls.run(run));
  return { clock, pool, result };
}

test('a device whose call waits long for a thread is waited for, and its time begins with the call', async (t) => {
  const pool = new Pool();
  pool.stands = true;
  const call = Promise.withResolvers<string>();
  const { clock, result } = reading('/dev/waits', () => call.promise, pool);
  await pass(clock, 5 * deadlineMs);
  pool.move();
  await pass(clock, deadlineMs - 1000);
  call.resolve('answer');
  t.is(await result, 'answer');
});

test('many calls that each take their time are one slow reading, not a device that hangs', async (t) => {
  const clock = new FakeClock();
  const calls = new DeviceCalls({ deadlineMs, clock, throughPool: async () => {} });
  const result = patiently('/dev/slow', calls, async () => {
    for (let count = 0; count < 5; count += 1) await calls.run(() => clock.sleep(deadlineMs - 1000));
    return 'answer';
  });
  await pass(clock, 5 * deadlineMs);
  t.is(await result, 'answer');
});

test('a device whose call hangs is given up after its deadline, and not asked again before it answers', async (t) => {
  const path = '/dev/hangs';
  const call = Promise.withResolvers<string>();
  const { clock, result } = reading(path, () => call.promise);
  const begun = clock.now();
  const failed = t.throwsAsync(result, { instanceOf: BlockError });
  await pass(clock, deadlineMs + 1000);
  t.like(await failed, { code: 'ERR_BLOCK_UNRESPONSIVE', device: path });
  t.true(clock.now() - begun <= deadlineMs + 1000);

  const again = reading(path, () => Promise.resolve(t.fail('it was asked')));
  await t.throwsAsync(again.result, { code: 'ERR_BLOCK_UNRESPONSIVE', message: /has not returned/ });
  t.is(await reading('/dev/other', () => Promise.resolve('answer')).result, 'answer');

  call.resolve('late');
  await turn();
  t.is(await reading(path, () => Promise.resolve('answer')).result, 'answer');
});

test('an answer that the main thread has not come to yet is an answer in time', async (t) => {
  const pool = new Pool();
  const call = Promise.withResolvers<string>();
  const { clock, result } = reading('/dev/late', () => call.promise, pool);
  await pass(clock, 500); // its time has begun
  pool.stands = true;
  await pass(clock, deadlineMs);
  call.resolve('answer');
  pool.move();
  t.is(await result, 'answer');
});

test('where no thread comes free at all, whoever waits is told', async (t) => {
  const pool = new Pool();
  pool.stands = true;
  const call = Promise.withResolvers<string>();
  const { clock, result } = reading('/dev/no-thread', () => call.promise, pool);
  const failed = t.throwsAsync(result, { code: 'ERR_BLOCK_UNRESPONSIVE' });
  await pass(clock, 9 * deadlineMs);
  await failed;
  call.resolve('late');
});
