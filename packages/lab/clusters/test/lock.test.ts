import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { lockState } from '../src/lock.ts';

test('many of one process that wait for a lock leave threads to who has it, and get it one after another', async (t) => {
  t.timeout(30_000, 'who has the lock waits for a thread, and those for the lock');
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'count');
  await writeFile(file, '0');
  const count = async (): Promise<void> => {
    await using _lock = await lockState(directory);
    await writeFile(file, String(Number(await readFile(file, 'utf8')) + 1));
  };
  await Promise.all(Array.from({ length: 20 }, count));
  t.is(await readFile(file, 'utf8'), '20');
  await t.throwsAsync(lockState(join(directory, 'none')), { code: 'ENOENT' });
  await t.throwsAsync(lockState(join(directory, 'none')), { code: 'ENOENT' }, 'nobody waits for who failed');
});
