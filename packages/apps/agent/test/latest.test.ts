import test from 'ava';

import { Latest } from '../src/controllers/latest.ts';

test('a reader starts with the value there is and skips what it was too slow for', async (t) => {
  const latest = new Latest<number>();
  latest.set(1);
  const reader = latest.follow();
  t.is((await reader.next()).value, 1);
  latest.set(2);
  latest.set(3);
  t.is((await reader.next()).value, 3);
  const next = reader.next();
  latest.set(4);
  t.is((await next).value, 4);
  t.is(latest.value, 4);
});

test('a reader that waits ends when its signal fires', async (t) => {
  const abort = new AbortController();
  const next = new Latest<number>().follow(abort.signal).next();
  abort.abort();
  t.true((await next).done);
});
