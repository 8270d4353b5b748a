import { readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { loadInstallerKey } from '../src/assets/installer-key.ts';
import { failingFiles } from './failing-files.ts';

const setup = { code: 'ERR_FACTORY_SETUP' };

test.serial('of many who begin at once one makes the key, and all have it', async (t) => {
  for (const [index, before] of [undefined, ''].entries()) {
    const storage = await temporaryDirectory(t);
    const path = join(storage, 'installer.key');
    if (before !== undefined) await writeFile(path, before); // a full disk has left it to an earlier version
    const keys = await Promise.all(Array.from({ length: 12 }, () => loadInstallerKey(undefined, storage)));
    const { name } = await loadInstallerKey(path, storage);
    t.deepEqual([...new Set(keys.map((key) => key.name))], [name], `${index}`);
    t.deepEqual(await readdir(storage), ['installer.key', 'installer.key.lock']);
    t.is((await stat(path)).mode & 0o777, 0o600);
  }
});

for (const code of ['EMFILE', 'EIO', 'EACCES'] as const)
  test.serial(`${code}: a key that is there and can not be read stays, and its file is named`, async (t) => {
    const storage = await temporaryDirectory(t);
    const path = join(storage, 'installer.key');
    await loadInstallerKey(undefined, storage);
    const before = await readFile(path);
    {
      using _failing = failingFiles((each) => (each === path ? code : undefined));
      await t.throwsAsync(loadInstallerKey(undefined, storage), { ...setup, message: `${path}: ${code}` });
    }
    t.deepEqual(await readFile(path), before);
  });

test.serial('a link to a key that is elsewhere stays a link while that is gone', async (t) => {
  const storage = await temporaryDirectory(t);
  const path = join(storage, 'installer.key');
  await symlink('elsewhere', path);
  await t.throwsAsync(loadInstallerKey(undefined, storage), { ...setup, message: `${path}: ENOENT` });
  t.is(await readlink(path), 'elsewhere');
});

test.serial('a key that can not be made says which file it is, and leaves nothing', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'file'), '');
  const inFile = join(directory, 'file/storage');
  await t.throwsAsync(loadInstallerKey(undefined, inFile), {
    ...setup,
    message: `${join(inFile, 'installer.key')}: ENOTDIR`,
  });
  const storage = join(directory, 'storage');
  const path = join(storage, 'installer.key');
  for (const [code, why] of [
    ['ENOSPC', 'no room on its disk'],
    ['EROFS', 'EROFS'],
  ] as const) {
    using _failing = failingFiles((each) => (each === `${path}.part` ? code : undefined));
    await t.throwsAsync(loadInstallerKey(undefined, storage), { ...setup, message: `${path}: ${why}` });
    t.false((await readdir(storage)).includes('installer.key'));
    t.false((await readdir(storage)).includes('installer.key.part'));
  }
  await loadInstallerKey(undefined, storage);
});
