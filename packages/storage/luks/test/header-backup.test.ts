import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { format, header, keyslots, LuksError, testKey } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { cheap, cryptsetup, imageFile } from './image.ts';
import { damage } from './raw-header.ts';

const testWithProgram = testWith(program('cryptsetup'));

async function formatted(
  t: ExecutionContext,
): Promise<{ path: string; file: string; key: Secret; uuid: string }> {
  const path = await imageFile(t);
  const key = Secret.random(32);
  t.teardown(() => key[Symbol.dispose]());
  const { uuid } = await format(path, { key, pbkdf: cheap });
  return { path, key, uuid, file: join(await temporaryDirectory(t), 'backup') };
}

test('a backup is both copies and all keyslots, in a file for the owner alone', async (t) => {
  const { path, file, uuid } = await formatted(t);
  const taken = await header.backup(path, { file });
  t.is(taken.uuid, uuid);
  t.is((await stat(file)).mode & 0o777, 0o600);
  const bytes = await readFile(file);
  t.true(bytes.equals(taken.bytes));
  t.true(bytes.equals((await readFile(path)).subarray(0, 16 << 20)));
});

test('a file that exists is never replaced', async (t) => {
  const { path, file } = await formatted(t);
  await writeFile(file, 'precious');
  await t.throwsAsync(header.backup(path, { file }), { instanceOf: LuksError, code: 'ERR_LUKS_EXISTS' });
  t.is(await readFile(file, 'utf8'), 'precious');
});

test('a backup that can not be written leaves no file', async (t) => {
  const { path, file } = await formatted(t);
  await t.throwsAsync(header.backup(path, { file: join(file, 'in-nothing') }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_FAILED',
  });
  await t.throwsAsync(stat(file), { code: 'ENOENT' });
});

test('a damaged copy is repaired before the backup is taken', async (t) => {
  const { path } = await formatted(t);
  await damage(path, 4096);
  const { bytes } = await header.backup(path);
  const file = await imageFile(t);
  await writeFile(file, bytes);
  t.is((await header.check(file)).verdict, 'consistent');
});

test('what has no header has no backup', async (t) => {
  await t.throwsAsync(header.backup(await imageFile(t)), { code: 'ERR_LUKS_NOT_LUKS' });
});

testWithProgram('our backup is the same as that of the program, byte for byte', async (t) => {
  const { path, file } = await formatted(t);
  t.is((await cryptsetup(['luksHeaderBackup', path, '--header-backup-file', file])).code, 0);
  t.true((await readFile(file)).equals((await header.backup(path)).bytes));
});

testWithProgram('the program restores our backup', async (t) => {
  const { path, file, key } = await formatted(t);
  await header.backup(path, { file });
  await keyslots.remove(path, { slot: 0, force: true });
  t.is((await cryptsetup(['luksHeaderRestore', path, '--header-backup-file', file])).code, 0);
  t.is(await testKey(path, { key }), 0);
});

testWithProgram('we restore the backup of the program', async (t) => {
  const { path, file, key } = await formatted(t);
  t.is((await cryptsetup(['luksHeaderBackup', path, '--header-backup-file', file])).code, 0);
  await keyslots.remove(path, { slot: 0, force: true });
  await header.restore(path, file, { key: { key } });
  t.is(await testKey(path, { key }), 0);
  t.is((await cryptsetup(['open', '--test-passphrase', path, '--key-file', '-'], key)).code, 0);
});
