import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { DataDirectory } from '../src/kvstore/data-directory.ts';

test('what may be replaced stops being so before what was there is thrown away', async (t) => {
  const path = await temporaryDirectory(t);
  const directory = await DataDirectory.open(path);
  await directory.begin({ state: 'new', members: [], token: 'token' });
  await mkdir(join(directory.data, 'member', 'wal'), { recursive: true });
  await writeFile(join(directory.data, 'member', 'wal', '0.wal'), '');
  await mkdir(join(directory.data, '.before-restore'));
  // Throwing away is refused here, as a power cut would end it.
  await mkdir(join(directory.data, '.restore'));
  await t.throwsAsync(directory.settle(), { code: 'ERR_KVSTORE_REFUSED' });
  t.is(await directory.beginning(), undefined);
  await t.notThrowsAsync(access(join(directory.data, '.before-restore')));
});

test('a recovery that failed half way is ended before the next life of the member', async (t) => {
  const path = await temporaryDirectory(t);
  const directory = await DataDirectory.open(path);
  await mkdir(join(directory.data, '.before-restore'), { recursive: true });
  await mkdir(join(directory.data, '.restore', 'made', 'member', 'wal'), { recursive: true });
  await writeFile(join(directory.data, '.restore', 'made', 'member', 'wal', '0.wal'), '');
  await writeFile(join(directory.data, '.restore', 'complete'), '');
  t.false(await directory.hasData());
  await directory.resume();
  t.true(await directory.hasData());
  await t.notThrowsAsync(access(join(directory.data, '.before-restore')));
});
