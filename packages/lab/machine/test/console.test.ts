import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { consoleTail } from '../src/index.ts';

test('the last lines are read of a console of any size, and of what QEMU said behind it', async (t) => {
  const directory = await temporaryDirectory(t);
  t.is(await consoleTail(directory), '');
  {
    await using file = await open(join(directory, 'console.log'), 'w');
    await file.write('first\n', 0);
    await file.write('last words\n', 8 * 2 ** 30); // more than fits into a string, nearly all of it a hole
  }
  await writeFile(join(directory, 'qemu.log'), 'terminating on signal 9\n');
  const said = await consoleTail(directory);
  t.regex(said, /last words\nterminating on signal 9$/);
  t.true(said.length <= 128 << 10);
});
