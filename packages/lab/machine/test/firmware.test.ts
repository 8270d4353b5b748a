import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { firmware } from '../src/firmware.ts';

test('a machine keeps its own variables when its value says so, and begins anew otherwise', async (t) => {
  const directory = await temporaryDirectory(t);
  const from = join(directory, 'prepared.fd');
  await writeFile(from, 'prepared');
  const spec = { name: 'one', firmware: 'uefi' } as const;
  const kept = { ...spec, variableStore: { from } };
  const first = await firmware(kept, directory);
  t.is(first?.variables, join(directory, 'uefi-variables.fd'));
  const variables = join(directory, 'uefi-variables.fd');
  t.is(await readFile(variables, 'utf8'), 'prepared');
  await writeFile(variables, 'enrolled');
  await firmware(kept, directory);
  t.is(await readFile(variables, 'utf8'), 'enrolled');
  await firmware(spec, directory);
  t.not(await readFile(variables, 'utf8'), 'enrolled');
});
