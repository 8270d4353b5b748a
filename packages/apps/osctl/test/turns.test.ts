import { ApiError, type ApiErrorCode } from '@nodecore/api';
import test from 'ava';

import { FakeClock } from '@nodecore/testkit/fake-clock';
import { inTurn } from '../src/configuration/turns.ts';

const superseded = failure('ERR_API_CONFLICT', 'ERR_APPLY_CONFLICT');
const busy = failure('ERR_API_ABORTED', 'ERR_APPLY_IN_PROGRESS');

function failure(code: ApiErrorCode, reason: string): ApiError {
  return new ApiError(code, reason, { endpoint: 'n:1', reason });
}

/** A change that fails in these ways before it is taken, and a clock that lets every wait pass at once. */
function setUp(failures: readonly Error[], rebase = true) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const made = { count: 0 };
  const change = async (): Promise<string> => {
    const next = failures[made.count];
    made.count += 1;
    if (next !== undefined) throw next;
    return 'taken';
  };
  const result = inTurn(change, { signal: stop.signal }, { rebase, clock });
  const ended = { is: false };
  const end = (): void => {
    ended.is = true;
  };
  void result.then(end, end);
  const pass = async (): Promise<void> => {
    while (!ended.is) {
      if (clock.sleepers > 0) clock.advance(2_000);
      await new Promise(setImmediate);
    }
  };
  return { result, made, pass, stop, clock };
}

test('a change is made again while others are taken before it or the node is busy with one', async (t) => {
  const { result, made, pass } = setUp([superseded, busy, busy, superseded]);
  await pass();
  t.is(await result, 'taken');
  t.is(made.count, 5);
});

test('a change that can not be made again waits for a busy node only', async (t) => {
  const { result, made, pass } = setUp([busy, superseded], false);
  await Promise.all([t.throwsAsync(result, { is: superseded }), pass()]);
  t.is(made.count, 2);
});

test('there is an end to it', async (t) => {
  const { result, made, pass } = setUp(Array.from({ length: 100 }, () => busy));
  await Promise.all([t.throwsAsync(result, { is: busy }), pass()]);
  t.is(made.count, 30);
});

test('any other failure is final, whatever its status', async (t) => {
  for (const final of [
    failure('ERR_API_CONFLICT', 'ERR_APPLY_MODE'),
    failure('ERR_API_ABORTED', 'ERR_WIPE_BUSY'),
    new Error('ERR_APPLY_CONFLICT'),
  ]) {
    const { result, made } = setUp([final]);
    await t.throwsAsync(result, { is: final });
    t.is(made.count, 1);
  }
});

test('who interrupts does not wait for another try', async (t) => {
  const { result, made, stop, clock } = setUp([busy]);
  while (clock.sleepers === 0) await new Promise(setImmediate);
  stop.abort(new Error('interrupted'));
  await t.throwsAsync(result, { message: 'interrupted' });
  t.is(made.count, 1);
});
