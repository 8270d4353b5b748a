import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { confirmRestore, hasFormerData, resumeRestore } from '../src/index.ts';

/** A data directory with these directories in it, each with a file. */
async function dataDirectory(t: ExecutionContext, ...names: readonly string[]): Promise<string> {
  const directory = await temporaryDirectory(t);
  for (const name of names) {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, 'file'), name);
  }
  return directory;
}

test('a member that runs although a restore is not complete confirms nothing', async (t) => {
  // The second of two renames failed, and an empty member was begun in the meantime.
  const directory = await dataDirectory(t, 'member', '.before-restore', '.restore/made/member');
  await writeFile(join(directory, '.restore/complete'), '');
  await t.throwsAsync(confirmRestore(directory), { code: 'ERR_KVSTORE_REFUSED', message: /resume/ });
  t.true(await hasFormerData(directory));
});

test('half of what was there before is no data to go back to', async (t) => {
  const directory = await dataDirectory(t, 'member', '.before-restore.gone');
  t.false(await hasFormerData(directory));
  t.is(await resumeRestore(directory), 'nothing');
  t.deepEqual(await readdir(directory), ['member']);
});

test('confirmed data stays, and what was there before is gone', async (t) => {
  const directory = await dataDirectory(t, 'member', '.before-restore', '.before-restore.gone');
  await confirmRestore(directory);
  await confirmRestore(directory);
  t.deepEqual(await readdir(directory), ['member']);
});
