import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { copyFile, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { format, header, LuksError, testKey } from '../src/index.ts';
import { lazy, Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { cheap, cryptsetup, imageFile } from './image.ts';
import { copyBytes, damage, reseal, sealBytes } from './raw-header.ts';

const test = testWith(program('cryptsetup'));

type Json = Record<string, any>;

const slot = (json: Json): Json => json['keyslots']['0'];
const segment = (json: Json): Json => json['segments']['0'];
const digest = (json: Json): Json => json['digests']['0'];
const config = (json: Json): Json => json['config'];
const area = (json: Json): Json => slot(json)['area'];
const kdf = (json: Json): Json => slot(json)['kdf'];

/** A second keyslot beside the first one, of the same digest. */
function addSlot(json: Json, change: (added: Json) => void = () => {}): void {
  const added = structuredClone(slot(json));
  added['area']['offset'] = String(Number(area(json)['offset']) + Number(area(json)['size']));
  change(added);
  json['keyslots']['1'] = added;
  digest(json)['keyslots'].push('1');
}

const token = (more: Json = {}): Json => ({ type: 'x', keyslots: ['0'], ...more });

/** What is done to the JSON of a header, with checksums that are right. Nobody but the program says what it makes of it. */
const edits: Readonly<Record<string, (json: Json) => void>> = {
  'nothing changed': () => {},
  'an unknown member': (json) => void (json['more'] = {}),
  'tokens that are a number': (json) => void (json['tokens'] = 42),
  'no tokens': (json) => void delete json['tokens'],
  'sections of other types': (json) =>
    void Object.assign(json, { tokens: 42, digests: 42, keyslots: [], segments: 'hi' }),
  'a token': (json) => void (json['tokens']['0'] = token()),
  'a token without a type': (json) => void (json['tokens']['0'] = { keyslots: [] }),
  'a token with an empty type': (json) => void (json['tokens']['0'] = token({ type: '' })),
  'a token without keyslots': (json) => void (json['tokens']['0'] = { type: 'x' }),
  'a token of a keyslot that is not there': (json) => void (json['tokens']['0'] = token({ keyslots: ['7'] })),
  'a token of a keyslot that is a number': (json) => void (json['tokens']['0'] = token({ keyslots: [0] })),
  'a token whose id is a word': (json) => void (json['tokens']['a'] = token()),
  'no keyslots at all': (json) => {
    json['keyslots'] = {};
    digest(json)['keyslots'] = [];
  },
  'no section of keyslots': (json) => void delete json['keyslots'],
  'a keyslot whose id is a word': (json) => {
    addSlot(json);
    json['keyslots']['x'] = json['keyslots']['1'];
    delete json['keyslots']['1'];
    digest(json)['keyslots'] = ['0', 'x'];
  },
  'a keyslot without a type': (json) => void delete slot(json)['type'],
  'a keyslot of an unknown type': (json) => void (slot(json)['type'] = 'x-luks2'),
  'a keyslot without the size of its key': (json) => void delete slot(json)['key_size'],
  'a negative size of a key': (json) => void (slot(json)['key_size'] = -1),
  'a size of a key beyond 32 bits': (json) => void (slot(json)['key_size'] = 2 ** 32),
  'a size of a key as text': (json) => void (slot(json)['key_size'] = '64'),
  'a splitter of a type that is a number': (json) => void (slot(json)['af']['type'] = 42),
  'a splitter of an unknown type': (json) => void (slot(json)['af']['type'] = 'luks2'),
  'a splitter that is a number': (json) => void (slot(json)['af'] = 42),
  'a splitter without a hash': (json) => void delete slot(json)['af']['hash'],
  'a splitter without stripes': (json) => void delete slot(json)['af']['stripes'],
  'a derivation that is a number': (json) => void (slot(json)['kdf'] = 42),
  'a derivation without a type': (json) => void delete kdf(json)['type'],
  'a derivation of an unknown type': (json) => void (kdf(json)['type'] = 'scrypt'),
  'a derivation without salt': (json) => void delete kdf(json)['salt'],
  'a derivation without memory': (json) => void delete kdf(json)['memory'],
  'a derivation with a member too many': (json) => void (kdf(json)['iterations'] = 1001),
  'a derivation with memory as text': (json) => void (kdf(json)['memory'] = '32'),
  'pbkdf2 with what argon2 has': (json) =>
    void Object.assign(kdf(json), { type: 'pbkdf2', hash: 'sha256', iterations: 1000 }),
  pbkdf2: (json) =>
    void (slot(json)['kdf'] = {
      type: 'pbkdf2',
      hash: 'sha256',
      iterations: 1000,
      salt: kdf(json)['salt'],
    }),
  'an area that is a number': (json) => void (slot(json)['area'] = 42),
  'an area without a type': (json) => void delete area(json)['type'],
  'an area of another type': (json) => void (area(json)['type'] = 'none'),
  'an area without a cipher': (json) => void delete area(json)['encryption'],
  'an area without the size of its key': (json) => void delete area(json)['key_size'],
  'an area of 2^64 - 1 bytes': (json) => void (area(json)['size'] = '18446744073709551615'),
  'an area of no bytes': (json) => void (area(json)['size'] = '0'),
  'an area whose size is a number': (json) => void (area(json)['size'] = 258_048),
  'an area at a negative offset': (json) => void (area(json)['offset'] = '-4096'),
  'an area inside the copies': (json) => void (area(json)['offset'] = '4096'),
  'an area that reaches into the data': (json) => void (area(json)['offset'] = '16773120'),
  'an area with leading zeros': (json) => void (area(json)['offset'] = '00032768'),
  'an area beyond 64 bits': (json) => void (area(json)['offset'] = '18446744073709551616'),
  'two keyslots': (json) => addSlot(json),
  'two keyslots in one area': (json) =>
    addSlot(json, (added) => (added['area']['offset'] = area(json)['offset'])),
  'two keyslots that overlap': (json) =>
    addSlot(json, (added) => (added['area']['offset'] = String(Number(area(json)['offset']) + 4096))),
  'a keyslot without a digest': (json) => void (digest(json)['keyslots'] = []),
  'a keyslot with two digests': (json) => void (json['digests']['1'] = { ...digest(json), segments: [] }),
  'a digest of nothing': (json) =>
    void (json['digests']['1'] = { ...digest(json), keyslots: [], segments: [] }),
  'a digest of a keyslot that is not there': (json) => void digest(json)['keyslots'].push('5'),
  'a digest of a segment that is not there': (json) => void digest(json)['segments'].push('1'),
  'a digest without a type': (json) => void delete digest(json)['type'],
  'a digest whose segments are no list': (json) => void (digest(json)['segments'] = {}),
  'a digest whose id is a word': (json) =>
    void (json['digests']['d'] = { ...digest(json), keyslots: [], segments: [] }),
  'no digests': (json) => void delete json['digests'],
  'no segments': (json) => void (json['segments'] = {}),
  'a segment without a type': (json) => void delete segment(json)['type'],
  'a segment of an unknown type': (json) => void (segment(json)['type'] = 'some_type'),
  'a segment whose type is a number': (json) => void (segment(json)['type'] = 42),
  'a segment without an offset': (json) => void delete segment(json)['offset'],
  'a segment whose offset is a word': (json) => void (segment(json)['offset'] = '-42'),
  'a segment that is not whole sectors': (json) => void (segment(json)['offset'] = '16777217'),
  'a segment without a size': (json) => void delete segment(json)['size'],
  'a segment whose size is a number': (json) => void (segment(json)['size'] = 4096),
  'a segment whose size is another word': (json) => void (segment(json)['size'] = 'automatic'),
  'a segment of size 0': (json) => void (segment(json)['size'] = '0'),
  'a segment of a size': (json) => void (segment(json)['size'] = '1048576'),
  'a segment of 2^64 - 512 bytes': (json) => void (segment(json)['size'] = '18446744073709551104'),
  'a segment of 2^64 + 512 bytes': (json) => void (segment(json)['size'] = '18446744073709552128'),
  'a segment without an IV': (json) => void delete segment(json)['iv_tweak'],
  'a segment whose IV is a word': (json) => void (segment(json)['iv_tweak'] = 'dynamic'),
  'a segment without a cipher': (json) => void delete segment(json)['encryption'],
  'a segment with an empty cipher': (json) => void (segment(json)['encryption'] = ''),
  'a segment whose cipher is a list': (json) => void (segment(json)['encryption'] = {}),
  'a segment without a sector size': (json) => void delete segment(json)['sector_size'],
  'a segment with a sector size as text': (json) => void (segment(json)['sector_size'] = '512'),
  'a segment with sectors of 1023 bytes': (json) => void (segment(json)['sector_size'] = 1023),
  'a segment with sectors of -1 bytes': (json) => void (segment(json)['sector_size'] = -1),
  'a segment with sectors of 1536 bytes': (json) => void (segment(json)['sector_size'] = 1536),
  'a segment with flags': (json) => void (segment(json)['flags'] = ['x']),
  'a segment whose flags are a word': (json) => void (segment(json)['flags'] = 'x'),
  'a segment with a flag that is a number': (json) => void (segment(json)['flags'] = ['x', 1]),
  'a segment with integrity': (json) =>
    void (segment(json)['integrity'] = {
      type: 'hmac(sha256)',
      journal_encryption: 'none',
      journal_integrity: 'none',
    }),
  'a segment with half an integrity': (json) => void (segment(json)['integrity'] = { type: 'hmac(sha256)' }),
  'two segments': (json) => {
    segment(json)['size'] = '1048576';
    json['segments']['1'] = { type: 'linear', offset: '17825792', size: 'dynamic' };
  },
  'two segments that overlap': (json) => {
    segment(json)['size'] = '1048576';
    json['segments']['1'] = { type: 'linear', offset: '16777216', size: 'dynamic' };
  },
  'two dynamic segments': (json) =>
    void (json['segments']['1'] = { type: 'linear', offset: '17825792', size: 'dynamic' }),
  'a gap between segments': (json) => {
    segment(json)['size'] = '1048576';
    json['segments']['2'] = { type: 'linear', offset: '17825792', size: 'dynamic' };
  },
  'a segment and a backup of it': (json) =>
    void (json['segments']['1'] = { ...segment(json), flags: ['backup-final'] }),
  'nothing but a backup': (json) => void (segment(json)['flags'] = ['backup-final']),
  'a backup behind a gap': (json) =>
    void (json['segments']['3'] = { ...segment(json), flags: ['backup-final'] }),
  'a segment at 0': (json) => void (segment(json)['offset'] = '0'),
  'no config': (json) => void delete json['config'],
  'another size of the text': (json) => void (config(json)['json_size'] = '28672'),
  'a size of the text that is none': (json) => void (config(json)['json_size'] = '12289'),
  'a size of the text as a number': (json) => void (config(json)['json_size'] = 12_288),
  'a keyslot area that is not whole pages': (json) => void (config(json)['keyslots_size'] = '16744449'),
  'a keyslot area that reaches into the data': (json) => void (config(json)['keyslots_size'] = '16748544'),
  'a smaller keyslot area': (json) => void (config(json)['keyslots_size'] = '290816'),
  'a keyslot area beyond what there may be': (json) => {
    config(json)['keyslots_size'] = '134221824';
    segment(json)['offset'] = '268435456';
  },
  'a header larger than the device': (json) => {
    config(json)['keyslots_size'] = '67108864';
    segment(json)['offset'] = '134217728';
  },
  'flags of the volume': (json) => void (config(json)['flags'] = ['allow-discards']),
  'flags of the volume that are a word': (json) => void (config(json)['flags'] = 'allow-discards'),
  'an unknown requirement': (json) => void (config(json)['requirements'] = { mandatory: ['x'] }),
  'requirements that are a list': (json) => void (config(json)['requirements'] = ['x']),
  'requirements that are a word': (json) => void (config(json)['requirements'] = { mandatory: 'x' }),
  'a re-encryption without a keyslot': (json) =>
    void (config(json)['requirements'] = { mandatory: ['online-reencrypt-v2'] }),
  'two re-encryptions': (json) =>
    void (config(json)['requirements'] = { mandatory: ['online-reencrypt', 'online-reencrypt-v2'] }),
  'a re-encryption of a later version': (json) =>
    void (config(json)['requirements'] = { mandatory: ['online-reencrypt-v99'] }),
  'a re-encryption offline': (json) =>
    void (config(json)['requirements'] = { mandatory: ['offline-reencrypt'] }),
  'a keyslot of a re-encryption that nothing requires': (json) => {
    addSlot(json, (added) => {
      added['type'] = 'reencrypt';
      added['key_size'] = 1;
      added['mode'] = 'reencrypt';
      added['direction'] = 'forward';
      added['area']['type'] = 'none';
    });
    digest(json)['keyslots'] = ['0'];
  },
};

async function isLoadable(t: ExecutionContext, path: string): Promise<boolean> {
  const copy = await imageFile(t, 1);
  await copyFile(path, copy); // loading repairs
  return (await cryptsetup(['luksDump', copy])).code === 0;
}

/** The header of a volume, made once. */
const formatted = lazy(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  const made = join(directory, 'disk.img');
  const key = Secret.random(32);
  try {
    await writeFile(made, '');
    await truncate(made, 20 << 20);
    await format(made, { key, pbkdf: cheap });
    return { key, bytes: await start(made) };
  } finally {
    await rm(directory, { recursive: true });
  }
});

/** Files that are empty but for the header of a volume. */
async function scene(t: ExecutionContext): Promise<{ image: () => Promise<string>; key: Secret }> {
  const { key, bytes } = await formatted();
  const image = async (): Promise<string> => {
    const path = await imageFile(t);
    await using file = await open(path, 'r+');
    await file.write(bytes, 0, bytes.length, 0);
    return path;
  };
  return { image, key };
}

/** The first MiB: both copies, and the keyslots. */
async function start(path: string): Promise<Buffer> {
  await using file = await open(path, 'r');
  const bytes = Buffer.alloc(1 << 20);
  await file.read(bytes, 0, bytes.length, 0);
  return bytes;
}

async function repaired(path: string): Promise<string> {
  return await header.repair(path).then(
    (result) => result.repaired,
    (error: unknown) => (error instanceof LuksError ? error.code : String(error)),
  );
}

function edited(edit: (json: Json) => void): (text: string) => string {
  return (text) => {
    const json = JSON.parse(text) as Json;
    edit(json);
    return JSON.stringify(json);
  };
}

for (const [title, edit] of Object.entries(edits)) {
  test(`${title}: we say what the program says, and a repair does what was said`, async (t) => {
    const { image, key } = await scene(t);
    const both = await image();
    await reseal(both, [0, copyBytes], edited(edit));
    const isValid = await isLoadable(t, both);
    const found = await header.check(both);
    t.is(found.verdict, isValid ? 'consistent' : 'invalid', JSON.stringify(found, bigints));
    const before = await start(both);
    t.is(await repaired(both), isValid ? 'none' : 'ERR_LUKS_UNSUPPORTED');
    t.true(before.equals(await start(both)));
    if (!isValid) {
      // The reason is in the error of whatever would use it.
      const reason = found.primary.state === 'invalid' ? found.primary.reason : '';
      t.true(reason !== '');
      const error = await t.throwsAsync(header.read(both), {
        instanceOf: LuksError,
        code: 'ERR_LUKS_UNSUPPORTED',
      });
      t.true(error?.message.includes(reason), error?.message);
    }

    const alone = await image();
    await reseal(alone, [0], edited(edit));
    await damage(alone, copyBytes + 4096);
    t.is((await header.check(alone)).verdict, isValid ? 'repairable' : 'invalid');
    t.is(await repaired(alone), isValid ? 'secondary' : 'ERR_LUKS_UNSUPPORTED');
    if (isValid) t.is((await header.check(alone)).verdict, 'consistent');

    if (isValid) return;
    const other = await image();
    await reseal(other, [0], edited(edit));
    if (title === 'a header larger than the device') {
      // Taken for itself it is valid, and the other copy does not say the same.
      t.is(await repaired(other), 'ERR_LUKS_MISMATCH');
      return;
    }
    t.is((await header.check(other)).verdict, 'repairable');
    t.is(await repaired(other), 'primary');
    t.is((await header.check(other)).verdict, 'consistent');
    t.is(await testKey(other, { key }), 0);
  });
}

const bigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

test('copies of another size than their text says are invalid, as the program has it', async (t) => {
  const { image } = await scene(t);
  const path = await image();
  await using file = await open(path, 'r+');
  const small = Buffer.alloc(copyBytes);
  await file.read(small, 0, copyBytes, 0);
  for (const [position, magic] of [
    [0, 'LUKS'],
    [2 * copyBytes, 'SKUL'],
  ] as const) {
    const copy = Buffer.alloc(2 * copyBytes);
    small.copy(copy);
    copy.write(magic, 0, 'latin1');
    copy.writeBigUInt64BE(BigInt(2 * copyBytes), 8);
    copy.writeBigUInt64BE(BigInt(position), 256);
    sealBytes(copy);
    await file.write(copy, 0, copy.length, position);
  }
  t.false(await isLoadable(t, path));
  const { verdict, primary } = await header.check(path);
  t.is(verdict, 'invalid');
  t.is(primary.state === 'invalid' ? primary.reason : '', 'config.json_size is not that of its block');
  t.is(await repaired(path), 'ERR_LUKS_UNSUPPORTED');
});

test('where we see nothing wrong, the error says what the library saw', async (t) => {
  const { image } = await scene(t);
  const path = await image();
  await reseal(path, [0, copyBytes], (text) => text.replace('"key_size":64,', '"key_size":64.0,'));
  t.false(await isLoadable(t, path));
  const error = await t.throwsAsync(testKey(path, { key: Secret.random(32) }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_UNSUPPORTED',
    message: /refuses a header that is whole: .*"key_size" \(int\)/,
  });
  t.false(error?.message.includes('undefined'));
  // What it tells for those who look for errors is told only then.
  const seen: unknown[] = [];
  const listen = (message: unknown): void => void seen.push(message);
  subscribe('nodecore:luks:log', listen);
  t.teardown(() => unsubscribe('nodecore:luks:log', listen));
  await header.read(await image());
  t.deepEqual(seen, []);
});

test('a header of LUKS1 with a second copy of LUKS2 behind it is LUKS1, and stays so', async (t) => {
  const { image, key } = await scene(t);
  const path = await image();
  const second = (await readFile(path)).subarray(copyBytes, 2 * copyBytes);
  const args = ['luksFormat', '--type', 'luks1', '--pbkdf-force-iterations', '1000', path, '--key-file', '-'];
  t.is((await cryptsetup(args, key)).code, 0);
  await using file = await open(path, 'r+');
  await file.write(second, 0, second.length, copyBytes);
  const before = await readFile(path);
  t.is((await header.check(path)).verdict, 'luks1');
  t.is(await repaired(path), 'ERR_LUKS_VERSION');
  await t.throwsAsync(header.read(path), { code: 'ERR_LUKS_VERSION' });
  t.true(before.equals(await readFile(path)));
});
