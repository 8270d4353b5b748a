import { readFile } from 'node:fs/promises';

import { type Expectation, format, header, keyslots, LuksError, testKey, tokens } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { cheap, cryptsetup, imageFile } from './image.ts';
import { copyBytes, reseal } from './raw-header.ts';

async function formatted(t: ExecutionContext): Promise<{ path: string; key: Secret; uuid: string }> {
  const path = await imageFile(t);
  const key = Secret.random(32);
  t.teardown(() => key[Symbol.dispose]());
  const { uuid } = await format(path, { key, pbkdf: cheap, label: 'u-data', sectorSize: 4096 });
  return { path, key, uuid };
}

const refused = { instanceOf: LuksError, code: 'ERR_LUKS_UNSUPPORTED' };

type Json = Record<string, any>;

const segment = (json: Json): Json => json['segments']['0'];
const keyslot = (json: Json): Json => json['keyslots']['0'];

/** Headers that somebody with the disk in his hands can write: valid for the library, or nearly so. */
const forged: Readonly<Record<string, readonly [(json: Json) => void, RegExp?]>> = {
  'a null cipher': [(json) => void (segment(json)['encryption'] = 'cipher_null-ecb'), /cipher_null/],
  'a cipher that volumes do not have': [(json) => void (segment(json)['encryption'] = 'aes-cbc-plain64')],
  'a null cipher in a keyslot': [
    (json) => void (keyslot(json)['area']['encryption'] = 'cipher_null-ecb'),
    /keyslot 0/,
  ],
  'a plain segment': [
    (json) => void (json['segments']['0'] = { type: 'linear', offset: '16777216', size: 'dynamic' }),
  ],
  'a second, plain segment': [
    (json) => {
      segment(json)['size'] = '1048576';
      json['segments']['1'] = { type: 'linear', offset: '17825792', size: 'dynamic' };
    },
  ],
  'a segment with flags': [(json) => void (segment(json)['flags'] = ['in-reencryption'])],
  'a segment of another number': [
    (json) => {
      json['segments'] = { '1': segment(json) };
      json['digests']['0']['segments'] = ['1'];
    },
  ],
  'integrity that we do not have': [
    (json) => {
      segment(json)['integrity'] = { type: 'none', journal_encryption: 'none', journal_integrity: 'none' };
    },
  ],
  'a requirement': [(json) => void (json['config']['requirements'] = { mandatory: ['online-reencrypt'] })],
  'a flag that nobody knows': [
    (json) => void (json['config']['flags'] = ['allow-discards', 'leak-everything']),
  ],
  'a key derivation that is none': [
    (json) => void (keyslot(json)['kdf'] = { type: 'none', salt: keyslot(json)['kdf']['salt'] }),
  ],
  'a keyslot of another type': [(json) => void (keyslot(json)['type'] = 'x-luks2')],
  'a keyslot whose key is too short': [(json) => void (keyslot(json)['key_size'] = 16)],
  'no digest of the segment': [(json) => void (json['digests']['0']['segments'] = [])],
  'two digests of its segment': [
    (json) => void (json['digests']['1'] = { ...json['digests']['0'], keyslots: [] }),
    /exactly one digest/,
  ],
  'a digest of another type': [(json) => void (json['digests']['0']['type'] = 'x-pbkdf2')],
};
for (const [title, [edit, message]] of Object.entries(forged)) {
  test(`a header with ${title} is refused before a key is tried`, async (t) => {
    const { path, key } = await formatted(t);
    await reseal(path, [0, copyBytes], (text) => {
      const json = JSON.parse(text) as Json;
      edit(json);
      return JSON.stringify(json);
    });
    // Some of them the library itself does not load.
    t.true(['consistent', 'invalid'].includes((await header.check(path)).verdict));
    const before = await readFile(path);
    const error = await t.throwsAsync(testKey(path, { key }), refused);
    t.is(error?.code, 'ERR_LUKS_UNSUPPORTED', error?.message);
    if (message !== undefined) t.regex(error?.message ?? '', message);
    await t.throwsAsync(keyslots.add(path, { existing: key, key, pbkdf: cheap }), {
      code: error?.code ?? '',
    });
    await t.throwsAsync(tokens.set(path, { token: { type: 'x', keyslots: [] } }), {
      code: error?.code ?? '',
    });
    t.true(before.equals(await readFile(path)));
  });
}

const expectations: Readonly<Record<string, readonly [Expectation, RegExp]>> = {
  cipher: [{ cipher: 'xchacha12,aes-adiantum-plain64' }, /cipher aes-xts-plain64 in place of xchacha12/],
  'key size': [{ keySizeBits: 256 }, /key size 512 in place of 256/],
  'sector size': [{ sectorSize: 512 }, /sector size 4096 in place of 512/],
  UUID: [{ uuid: '0f0e0d0c-0b0a-4908-8706-050403020100' }, /UUID .* in place of 0f0e0d0c/],
  label: [
    { label: 'u-other', sectorSize: 512 },
    /sector size 4096 in place of 512, label u-data|label u-data/,
  ],
};
for (const [title, [expect, message]] of Object.entries(expectations)) {
  test(`a header with another ${title} than expected is refused`, async (t) => {
    const { path, key } = await formatted(t);
    await t.throwsAsync(testKey(path, { key, expect }), {
      instanceOf: LuksError,
      code: 'ERR_LUKS_MISMATCH',
      message,
    });
  });
}

test('a header that is as expected opens', async (t) => {
  const { path, key, uuid } = await formatted(t);
  const expect: Expectation = {
    cipher: 'aes-xts-plain64',
    keySizeBits: 512,
    sectorSize: 4096,
    uuid,
    label: 'u-data',
  };
  t.is(await testKey(path, { key, expect }), 0);
});

testWith(program('cryptsetup'))('every key derivation that the program makes is opened', async (t) => {
  for (const pbkdf of ['argon2i', 'argon2id', 'pbkdf2']) {
    const path = await imageFile(t);
    using key = Secret.random(32);
    const costs = ['--pbkdf', pbkdf, '--pbkdf-force-iterations', pbkdf === 'pbkdf2' ? '1000' : '4'];
    const memory = pbkdf === 'pbkdf2' ? [] : ['--pbkdf-memory', '32', '--pbkdf-parallel', '1'];
    const args = ['luksFormat', '--type', 'luks2', ...costs, ...memory, path, '--key-file', '-'];
    t.is((await cryptsetup(args, key)).code, 0);
    t.is(await testKey(path, { key }), 0);
  }
});
