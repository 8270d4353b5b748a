import { mock } from 'node:test';

import test from 'ava';

import type { Log } from '../src/log.ts';
import { dropStrings, holdStrings, overwriteCollected } from '../src/strings.ts';

/** Longer than a busy loop is waited for, timer by timer. */
function pass(): void {
  for (let passed = 0; passed < 30_000; passed += 500) mock.timers.tick(500);
}

test('texts are overwritten once, and not before who reads them has let go', (t) => {
  overwriteCollected();
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  let count = 0;
  const log = { debug: () => (count += 1) } as unknown as Log;
  const hold = holdStrings();
  dropStrings(log);
  pass();
  dropStrings(log);
  t.is(count, 0, 'they are in use');
  hold[Symbol.dispose]();
  pass();
  t.is(count, 1);
  dropStrings(log);
  pass();
  t.is(count, 2, 'what was read since');
});
