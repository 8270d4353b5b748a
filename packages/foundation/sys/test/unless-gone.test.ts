import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { unlessGone } from '../src/index.ts';

test('a file that is not there is undefined, and every other error is thrown', async (t) => {
  const { dirname, filename } = import.meta;
  t.is(await unlessGone(readFile(join(dirname, 'absent'))), undefined);
  t.is(await unlessGone(readFile(join(dirname, 'absent', 'below'))), undefined);
  t.true((await unlessGone(stat(filename)))?.isFile());
  await t.throwsAsync(unlessGone(readdir(filename)), { code: 'ENOTDIR' });
});
