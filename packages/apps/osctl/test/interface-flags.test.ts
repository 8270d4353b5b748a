import test from 'ava';

import { interfaceFlags } from './interface-flags.ts';
import { wrongFlags } from './known-flags.ts';

test('commands have every flag of the interface, with its short name, its type, its words and what it is without it', async (t) => {
  t.deepEqual(await wrongFlags(interfaceFlags), []);
});
