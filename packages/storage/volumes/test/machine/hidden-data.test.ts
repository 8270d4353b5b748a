import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { hiddenData } from '../../src/machine/hidden-data.ts';

test('empty directories hide nothing, and neither does what is not there', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'empty', 'too'), { recursive: true });
  t.is(await hiddenData(directory), undefined);
  t.is(await hiddenData(join(directory, 'missing')), undefined);
});

test('data counts whatever the names of its directories are made of', async (t) => {
  const directory = await temporaryDirectory(t);
  const latin1 = Buffer.concat([Buffer.from(join(directory, 'caf')), Buffer.from([0xe9])]);
  await mkdir(latin1);
  await writeFile(Buffer.concat([latin1, Buffer.from('/menu')]), 'data');
  t.regex((await hiddenData(directory)) ?? '', /caf.*\/menu$/);
});
