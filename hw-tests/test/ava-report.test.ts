import test from 'ava';

import { readReport } from '../src/ava-report.ts';

const tap = `TAP version 13
ok 1 - a › works
not ok 2 - b fails
  ---
    name: AssertionError
  ...
ok 3 - later # SKIP

1..3
`;

test('each test counts once as passed, failed or skipped', (t) => {
  t.deepEqual(readReport(tap), { passed: ['a › works'], failed: ['b fails'], skipped: ['later'], tap });
});
