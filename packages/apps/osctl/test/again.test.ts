import { PassThrough } from 'node:stream';

import { ApiError, type ApiErrorCode } from '@nodecore/api';
import test from 'ava';

import { FakeClock } from '@nodecore/testkit/fake-clock';
import { again } from '../src/nodes/again.ts';

const lost = (code: ApiErrorCode): ApiError => new ApiError(code, 'n: lost', { endpoint: 'n:1' });

async function* answers(list: readonly number[], failure?: Error): AsyncGenerator<number> {
  yield* list;
  if (failure !== undefined) throw failure;
}

function setUp(calls: readonly AsyncIterable<number>[]) {
  const clock = new FakeClock();
  const error = new PassThrough();
  const stop = new AbortController();
  let made = 0;
  const stream = again(() => calls[made++] ?? answers([]), { signal: stop.signal, error }, clock);
  return {
    stream,
    clock,
    stop,
    said: () => (error.read() as Buffer | null)?.toString() ?? '',
    made: () => made,
  };
}

test('after a lost connection the call is made again, and that is said', async (t) => {
  const { stream, clock, said } = setUp([answers([1], lost('ERR_API_UNREACHABLE')), answers([2])]);
  t.is((await stream.next()).value, 1);
  const next = stream.next();
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(200);
  t.is((await next).value, 2);
  t.regex(said(), /^osctl: n: lost; .*; connecting again\n$/);
  t.true((await stream.next()).done, 'a call that ends in order is over');
});

test('what is in the way is said once, and anew when the call has answered meanwhile', async (t) => {
  const failure = lost('ERR_API_UNREACHABLE');
  const { stream, clock, said } = setUp([
    answers([1], failure),
    answers([], failure),
    answers([], failure),
    answers([2], failure),
    answers([3]),
  ]);
  const next = async (): Promise<unknown> => {
    const found = stream.next();
    for (;;) {
      const turn = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
      const answer = await Promise.race([found, turn]);
      if (answer !== undefined) return answer.value;
      clock.advance(5_000);
    }
  };
  t.deepEqual([await next(), await next(), said().split('\n').length - 1], [1, 2, 1]);
  t.deepEqual([await next(), said().split('\n').length - 1], [3, 1]);
});

test('a failure before the first answer, and one that trying again can not mend, is thrown', async (t) => {
  const first = setUp([answers([], lost('ERR_API_UNREACHABLE'))]);
  await t.throwsAsync(first.stream.next(), { code: 'ERR_API_UNREACHABLE' });
  const denied = setUp([answers([1], lost('ERR_API_DENIED'))]);
  await denied.stream.next();
  await t.throwsAsync(denied.stream.next(), { code: 'ERR_API_DENIED' });
  t.is(denied.made(), 1);
});

test('an interruption ends the waiting between two calls', async (t) => {
  const { stream, clock, stop } = setUp([answers([1], lost('ERR_API_CANCELLED'))]);
  await stream.next();
  const next = stream.next();
  while (clock.sleepers === 0) await new Promise(setImmediate);
  stop.abort(new Error('interrupted'));
  await t.throwsAsync(next, { message: 'interrupted' });
});
