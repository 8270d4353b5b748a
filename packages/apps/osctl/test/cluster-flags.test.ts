import test from 'ava';

import { knownFlags } from './cluster-flags.ts';
import { wrongFlags } from './known-flags.ts';

test('commands about clusters have every flag of the interface, with its type and what it is without it', async (t) => {
  t.deepEqual(await wrongFlags(knownFlags), []);
});
