import { Backoff } from '@nodecore/waiting';
import test from 'ava';

import { restAfter } from '../src/kvstore/rest-after.ts';

/** How long each of 17 failures in a row is rested after. */
function after(code: string): readonly number[] {
  const backoff = new Backoff({ firstMs: 500, largestMs: 30_000, random: () => 0 });
  return Array.from({ length: 17 }, () => restAfter(code, backoff));
}

test('who waits for its turn to join asks each second, for a while; other failures rest longer and longer', (t) => {
  const usual = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000];
  for (const code of ['ERR_KVSTORE_UNREACHABLE', 'none']) t.deepEqual(after(code).slice(0, 8), usual, code);
  for (const code of ['ERR_KVSTORE_LEARNER', 'ERR_KVSTORE_QUORUM']) {
    t.deepEqual(after(code).slice(0, 15), [500, ...Array.from({ length: 14 }, () => 1000)], code);
    t.is(after(code).at(-1), 30_000, code);
  }
});
