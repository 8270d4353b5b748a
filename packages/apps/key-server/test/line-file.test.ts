import { readFile, rename, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { leakedDescriptors, openDescriptors, temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { LineFile } from '../src/server/line-file.ts';

test('lines are in the file when written() resolves, in their order', async (t) => {
  const path = join(await temporaryDirectory(t), 'log');
  const file = await LineFile.open(path);
  const lines = Array.from({ length: 1_000 }, (_, index) => `${index}\n`);
  for (const line of lines) file.write(line);
  await file.written();
  t.is(await readFile(path, 'utf8'), lines.join(''));
  t.is((await stat(path)).mode & 0o777, 0o600);
  await file.close();
});

test('lines that are there stay', async (t) => {
  const path = join(await temporaryDirectory(t), 'log');
  for (const line of ['one\n', 'two\n']) {
    const file = await LineFile.open(path);
    file.write(line);
    await file.close();
  }
  t.is(await readFile(path, 'utf8'), 'one\ntwo\n');
});

test('after a rotation lines go into a new file, and none is lost', async (t) => {
  const path = join(await temporaryDirectory(t), 'log');
  const file = await LineFile.open(path);
  const lines = Array.from({ length: 300 }, (_, index) => `${index}\n`);
  for (const [index, line] of lines.entries()) {
    file.write(line);
    if (index !== 100) continue;
    await file.written();
    await rename(path, `${path}.1`);
    void file.reopen();
  }
  await file.close();
  t.is((await readFile(`${path}.1`, 'utf8')) + (await readFile(path, 'utf8')), lines.join(''));
  t.is(await readFile(path, 'utf8'), lines.slice(101).join(''));
});

test('a line that can not be written is known, and the next may be', async (t) => {
  const path = join(await temporaryDirectory(t), 'log');
  const file = await LineFile.open(path);
  await file.close();
  file.write('lost\n');
  await t.throwsAsync(file.written(), { code: 'ERR_KMS_AUDIT' });
  t.is(await readFile(path, 'utf8'), '');
});

test('a reopening that fails goes on in the old file', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'log');
  const file = await LineFile.open(path);
  await rename(path, `${path}.1`);
  await symlink('/etc/passwd', path);
  await t.throwsAsync(file.reopen(), { code: 'ERR_KMS_AUDIT' });
  file.write('still here\n');
  await file.close();
  t.is(await readFile(`${path}.1`, 'utf8'), 'still here\n');
});

test.serial('what is no file is refused and closed', async (t) => {
  const before = openDescriptors();
  for (const path of ['/dev/null', '/dev', '/nonexistent/log'])
    await t.throwsAsync(LineFile.open(path), { code: 'ERR_KMS_AUDIT' });
  t.deepEqual(leakedDescriptors(before), []);
});
