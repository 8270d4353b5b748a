import test from 'ava';

import { RateLimit } from '../src/server/rate-limit.ts';

function limit(burst: number, perSecond: number): { take: RateLimit['take']; pass: (ms: number) => void } {
  let now = 1_700_000_000_000;
  const bucket = new RateLimit({ burst, perSecond }, { now: () => now });
  return {
    take: (name) => bucket.take(name),
    pass: (ms) => {
      now += ms;
    },
  };
}

test('a burst is let through, and nothing after it', (t) => {
  const { take } = limit(3, 1);
  t.deepEqual(
    [1, 2, 3, 4, 5].map(() => take('a').allowed),
    [true, true, true, false, false],
  );
});

test('turns come back with time, up to the burst', (t) => {
  const { take, pass } = limit(2, 0.5);
  take('a');
  take('a');
  pass(1_999);
  t.false(take('a').allowed);
  pass(1);
  t.true(take('a').allowed);
  t.false(take('a').allowed);
  pass(3_600_000);
  t.deepEqual(
    [1, 2, 3].map(() => take('a').allowed),
    [true, true, false],
  );
});

test('one name does not use up the turns of another', (t) => {
  const { take } = limit(1, 1);
  t.true(take('a').allowed);
  t.true(take('b').allowed);
  t.false(take('a').allowed);
});

test('the next call that is let through says how many were not', (t) => {
  const { take, pass } = limit(1, 1);
  t.deepEqual(take('a'), { allowed: true, refused: 0 });
  t.deepEqual(take('a'), { allowed: false, refused: 1 });
  t.deepEqual(take('a'), { allowed: false, refused: 2 });
  pass(1_000);
  t.deepEqual(take('a'), { allowed: true, refused: 2 });
  t.deepEqual(take('a'), { allowed: false, refused: 1 });
});

test('a clock that is set back gives and takes nothing', (t) => {
  const { take, pass } = limit(2, 1);
  take('a');
  pass(-3_600_000);
  t.true(take('a').allowed);
  t.false(take('a').allowed);
  pass(1_000);
  t.true(take('a').allowed);
});

test('a flood of names ends in bounded memory and time', (t) => {
  const { take } = limit(5, 0.001);
  const started = performance.now();
  let allowed = 0;
  for (let name = 0; name < 300_000; name += 1) allowed += Number(take(String(name)).allowed);
  t.is(allowed, 300_000);
  t.true(performance.now() - started < 10_000);
});
