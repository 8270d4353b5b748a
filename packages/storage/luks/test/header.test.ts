import { readFile, writeFile } from 'node:fs/promises';

import { format, header, keyslots, LuksError, testKey } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { cheap, cryptsetup, imageFile } from './image.ts';
import { copyBytes, damage } from './raw-header.ts';

test('a file without a LUKS header has none', async (t) => {
  const path = await imageFile(t);
  t.is(await header.read(path), undefined);
  using key = Secret.random(32);
  await t.throwsAsync(testKey(path, { key }), { instanceOf: LuksError, code: 'ERR_LUKS_NOT_LUKS' });
  await t.throwsAsync(keyslots.list(path), { code: 'ERR_LUKS_NOT_LUKS' });
});

test('a header is written as JSON, with 64-bit numbers as text, and read as it was', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  const made = await format(path, { key, pbkdf: cheap });
  t.is(made.dataOffset, 16n << 20n);
  t.deepEqual(JSON.parse(JSON.stringify(made)), { ...made, dataOffset: '16777216' });
  const found = await header.read(path);
  t.deepEqual(JSON.parse(JSON.stringify({ header: found })), { header: { ...made, dataOffset: '16777216' } });
  t.deepEqual(Object.keys(made).includes('toJSON'), false);

  const { verdict, primary } = await header.check(path);
  t.is(verdict, 'consistent');
  t.true(primary.state === 'valid' && primary.sequence > 0n);
  t.like(JSON.parse(JSON.stringify(await header.check(path))), {
    verdict,
    primary: { state: 'valid', sequence: String(primary.state === 'valid' ? primary.sequence : '') },
  });
});

test('a file shorter than a header has none', async (t) => {
  const path = await imageFile(t, 512);
  t.is(await header.read(path), undefined);
});

test('a missing device is not found, which is not the same as having no header', async (t) => {
  const path = `${await imageFile(t)}.missing`;
  await t.throwsAsync(header.read(path), { code: 'ERR_LUKS_NOT_FOUND', message: /ENOENT/ });
});

for (const [title, position] of [
  ['the first', 0],
  ['the second', copyBytes],
] as const) {
  test(`a header survives the loss of ${title} copy`, async (t) => {
    const path = await imageFile(t);
    using key = Secret.random(32);
    const made = await format(path, { key, pbkdf: cheap });
    await damage(path, position);
    t.deepEqual(await header.read(path), made);
    t.is(await testKey(path, { key }), 0);
  });
}

test('a damaged header is not mistaken for no header', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  await damage(path, 4096); // the JSON of the first copy, whose checksum then fails
  await damage(path, copyBytes + 4096);
  await t.throwsAsync(header.read(path), { instanceOf: LuksError, code: 'ERR_LUKS_DAMAGED' });
  await t.throwsAsync(format(path, { key, pbkdf: cheap }), { code: 'ERR_LUKS_EXISTS' });
});

test('a second copy alone stops format, even when the library can not read it', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  await damage(path, 0);
  await damage(path, copyBytes + 4096);
  await t.throwsAsync(header.read(path), { code: 'ERR_LUKS_DAMAGED' });
  await t.throwsAsync(format(path, { key, pbkdf: cheap }), { code: 'ERR_LUKS_EXISTS' });
});

testWith(program('cryptsetup'))('LUKS version 1 has its own code', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  const args = ['luksFormat', '--type', 'luks1', '--pbkdf-force-iterations', '1000', path, '--key-file', '-'];
  t.is((await cryptsetup(args, key)).code, 0);
  const before = await readFile(path);
  await t.throwsAsync(header.read(path), { instanceOf: LuksError, code: 'ERR_LUKS_VERSION' });
  await t.throwsAsync(testKey(path, { key }), { code: 'ERR_LUKS_VERSION' });
  await t.throwsAsync(format(path, { key, pbkdf: cheap }), { code: 'ERR_LUKS_EXISTS' });
  t.true(before.equals(await readFile(path)));
});

test('what is no device at all is refused', async (t) => {
  await t.throwsAsync(header.read('/dev/null'), {
    code: 'ERR_LUKS_NOT_FOUND',
    message: /neither block device/,
  });
});

test('other content is no header', async (t) => {
  const path = await imageFile(t);
  await writeFile(path, 'LUKS is not here');
  t.is(await header.read(path), undefined);
});
