import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test from 'ava';

import { removeFileDurably, writeFileAtomic } from '@nodecore/sys';

test('a file is replaced whole, owner-only, and leaves no part file', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, 'config.yaml');
  await writeFileAtomic(path, 'old');
  await writeFile(`${path}.part`, 'left by a crash', { mode: 0o644 });
  await writeFileAtomic(path, 'new');
  t.is(await readFile(path, 'utf8'), 'new');
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(directory), ['config.yaml']);
  await removeFileDurably(path);
  await removeFileDurably(path);
  t.deepEqual(await readdir(directory), []);
});
