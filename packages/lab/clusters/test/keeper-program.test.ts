import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packProgram } from '@nodecore/sys/packed-program';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { keeperProgram } from '../src/keeper/program.ts';

test('a keeper is one file while that is of its very sources, and its modules otherwise', async (t) => {
  const home = await temporaryDirectory(t);
  const sources = ['--conditions=source', new URL('../src/keeper/main.ts', import.meta.url).pathname];
  t.deepEqual(keeperProgram(home), sources);
  const source = join(home, 'source.ts');
  await writeFile(source, '');
  const begunMs = (await stat(source)).ctimeMs + 1000;
  t.true(await packProgram(home, { code: '', sources: [source], begunMs }));
  t.deepEqual(keeperProgram(home), ['--conditions=source', join(home, 'program.mjs')]);
  await rm(source);
  t.deepEqual(keeperProgram(home), sources);
});
