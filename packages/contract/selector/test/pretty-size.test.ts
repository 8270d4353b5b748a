import test from 'ava';

import { prettySize } from '../src/pretty-size.ts';

test('sizes are shown in powers of 1000 with two digits that matter', (t) => {
  t.is(prettySize(0n), '0 B');
  t.is(prettySize(999n), '999 B');
  t.is(prettySize(1000n), '1.0 kB');
  t.is(prettySize(1_048_576n), '1.0 MB');
  t.is(prettySize(53_687_091_200n), '54 GB');
  t.is(prettySize(1_500_301_910_016n), '1.5 TB');
  t.is(prettySize(500_107_862_016n), '500 GB');
  t.is(prettySize((1n << 64n) - 1n), '18 EB');
});
