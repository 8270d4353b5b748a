import { readFile, writeFile } from 'node:fs/promises';

import { format, header, keyslots, LuksError, testKey } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { cheap, cryptsetup, imageFile } from './image.ts';
import { copyBytes, damage, reseal, resealBlock } from './raw-header.ts';

async function formatted(t: ExecutionContext): Promise<{ path: string; key: Secret; uuid: string }> {
  const path = await imageFile(t);
  const key = Secret.random(32);
  t.teardown(() => key[Symbol.dispose]());
  const { uuid } = await format(path, { key, pbkdf: cheap, label: 'u-data' });
  return { path, key, uuid };
}

test('both copies of a new header are valid and say the same', async (t) => {
  const { path, uuid } = await formatted(t);
  const { verdict, primary, secondary } = await header.check(path);
  t.is(verdict, 'consistent');
  const copy = { state: 'valid', uuid, label: 'u-data', sizeBytes: copyBytes, checksum: 'sha256' } as const;
  const sequence = primary.state === 'valid' ? primary.sequence : 0n;
  t.true(sequence > 0n);
  t.deepEqual(primary, { ...copy, sequence, offset: 0 });
  t.deepEqual(secondary, { ...copy, sequence, offset: copyBytes });
});

test('every change raises the sequence number', async (t) => {
  const { path, key } = await formatted(t);
  const sequence = async (): Promise<bigint> => {
    const { primary } = await header.check(path);
    return primary.state === 'valid' ? primary.sequence : -1n;
  };
  const before = await sequence();
  await keyslots.add(path, { existing: key, key, pbkdf: cheap });
  t.true((await sequence()) > before);
});

test('a check repairs nothing', async (t) => {
  const { path } = await formatted(t);
  await damage(path, 0);
  const before = await readFile(path);
  await header.check(path);
  t.true(before.equals(await readFile(path)));
});

for (const [title, position, repaired, state] of [
  ['the block of the first copy', 0, 'primary', 'missing'],
  ['the JSON of the first copy', 4096, 'primary', 'damaged'],
  ['the block of the second copy', copyBytes, 'secondary', 'missing'],
  ['the JSON of the second copy', copyBytes + 4096, 'secondary', 'damaged'],
] as const) {
  test(`${title} is repaired from the other`, async (t) => {
    const { path, key } = await formatted(t);
    const made = await header.read(path);
    await damage(path, position);
    const found = await header.check(path);
    t.is(found.verdict, 'repairable');
    t.is(found[repaired].state, state);
    t.deepEqual(await header.repair(path), { repaired });
    t.is((await header.check(path)).verdict, 'consistent');
    t.deepEqual(await header.repair(path), { repaired: 'none' });
    t.deepEqual(await header.read(path), made);
    t.is(await testKey(path, { key }), 0);
  });
}

test('a copy that a crash left older is repaired from the newer', async (t) => {
  const { path, key } = await formatted(t);
  const old = (await readFile(path)).subarray(copyBytes, 2 * copyBytes);
  await keyslots.add(path, { existing: key, key, slot: 9, pbkdf: cheap });
  const image = await readFile(path);
  old.copy(image, copyBytes);
  await writeFile(path, image);
  t.is((await header.check(path)).verdict, 'repairable');
  t.deepEqual(await header.repair(path), { repaired: 'secondary' });
  t.is(await testKey(path, { key, slot: 9 }), 9);
});

test('with both copies damaged nothing is written, and the error says what it takes', async (t) => {
  const { path } = await formatted(t);
  await damage(path, 4096);
  await damage(path, copyBytes + 4096);
  const before = await readFile(path);
  t.is((await header.check(path)).verdict, 'damaged');
  await t.throwsAsync(header.repair(path), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_DAMAGED',
    message: /header\.restore/,
  });
  t.true(before.equals(await readFile(path)));
});

test('copies that contradict each other with one sequence number are not opened, and not repaired', async (t) => {
  const { path, key } = await formatted(t);
  await reseal(path, [copyBytes], (json) => json.replace('"time":4', '"time":5'));
  const before = await readFile(path);
  t.is((await header.check(path)).verdict, 'conflicting');
  const refused = { instanceOf: LuksError, code: 'ERR_LUKS_MISMATCH' };
  await t.throwsAsync(header.repair(path), refused);
  await t.throwsAsync(testKey(path, { key }), refused);
  await t.throwsAsync(keyslots.add(path, { existing: key, key, pbkdf: cheap }), refused);
  t.true(before.equals(await readFile(path)));
});

/** Fields of the binary block of a copy, which its JSON does not repeat. */
const blockFields: Readonly<Record<string, (block: Buffer) => void>> = {
  label: (block) => void block.write('u-other\0', 24),
  UUID: (block) => void block.write('0f0e0d0c-0b0a-4908-8706-050403020100', 168),
  subsystem: (block) => void block.write('other\0', 208),
  checksum: (block) => void block.write('sha512\0', 72),
};
for (const [title, edit] of Object.entries(blockFields)) {
  test(`copies with one sequence number and another ${title} contradict each other`, async (t) => {
    const { path, key } = await formatted(t);
    await resealBlock(path, copyBytes, edit);
    const before = await readFile(path);
    t.is((await header.check(path)).verdict, 'conflicting');
    await t.throwsAsync(testKey(path, { key }), { instanceOf: LuksError, code: 'ERR_LUKS_MISMATCH' });
    t.true(before.equals(await readFile(path)));
  });
}

for (const [title, offset] of [
  ['right behind', 1],
  ['far behind', 6000],
] as const) {
  test(`a copy with a byte ${title} the end of its text is not valid, and is made anew`, async (t) => {
    const { path, key } = await formatted(t);
    await resealBlock(path, 0, (copy) => void copy.write('x', copy.indexOf(0, 4096) + offset));
    t.like((await header.check(path)).primary, {
      state: 'invalid',
      reason: 'its JSON area holds more than text',
    });
    t.deepEqual(await header.repair(path), { repaired: 'primary' });
    t.is(await testKey(path, { key }), 0);
  });
}

test('what is no header has nothing to repair', async (t) => {
  const path = await imageFile(t);
  t.deepEqual(await header.check(path), {
    primary: { state: 'missing' },
    secondary: { state: 'missing' },
    verdict: 'none',
  });
  await t.throwsAsync(header.repair(path), { code: 'ERR_LUKS_NOT_LUKS' });
  await t.throwsAsync(header.check(`${path}.missing`), { code: 'ERR_LUKS_NOT_FOUND' });
});

testWith(program('cryptsetup'))('LUKS version 1 has its own code', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  const args = ['luksFormat', '--type', 'luks1', '--pbkdf-force-iterations', '1000', path, '--key-file', '-'];
  t.is((await cryptsetup(args, key)).code, 0);
  const { primary, verdict } = await header.check(path);
  t.deepEqual(primary, { state: 'damaged', reason: 'its version is 1' });
  t.is(verdict, 'luks1');
  await t.throwsAsync(header.repair(path), { code: 'ERR_LUKS_VERSION' });
});

testWith(program('cryptsetup'))('we and the program repair what the other reads', async (t) => {
  const { path, key } = await formatted(t);
  await damage(path, 4096);
  t.is((await cryptsetup(['repair', path])).code, 0);
  t.is((await header.check(path)).verdict, 'consistent');
  await damage(path, copyBytes);
  await header.repair(path);
  const { stderr, code } = await cryptsetup(['luksDump', path]);
  t.is(code, 0, stderr);
  t.is(await testKey(path, { key }), 0);
});

testWith(program('cryptsetup'))(
  'our reader reads larger headers, and their second copies where they are',
  async (t) => {
    const path = await imageFile(t, 40 << 20);
    using key = Secret.random(32);
    const sizes = ['--luks2-metadata-size', '256k', '--luks2-keyslots-size', '8m'];
    const args = ['luksFormat', '--type', 'luks2', '--pbkdf', 'pbkdf2', '--pbkdf-force-iterations', '1000'];
    t.is((await cryptsetup([...args, ...sizes, path, '--key-file', '-'], key)).code, 0);
    const { verdict, secondary } = await header.check(path);
    t.is(verdict, 'consistent');
    t.is(secondary.state === 'valid' ? secondary.offset : 0, 256 << 10);
    await damage(path, 0);
    t.deepEqual(await header.repair(path), { repaired: 'primary' });
    t.is(await testKey(path, { key }), 0);
  },
);
