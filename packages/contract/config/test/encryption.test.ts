import test from 'ava';

import { parse } from '@nodecore/config';
import { codesOf, problemsOf, userVolume } from './fixtures/problems.ts';

const encrypted = (encryption: string): string => userVolume(`encryption: {${encryption}}`);
const more = (fields: string): string[] =>
  codesOf(encrypted(`provider: luks2, keys: [{nodeID: {}}], ${fields}`));
const withKeys = (keys: string): string => encrypted(`provider: luks2, keys: [${keys}]`);

test('keys come sorted by slot, with passphrases as secrets', (t) => {
  using configuration = parse(
    withKeys('{slot: 5, static: {passphrase: "correct horse"}}, {slot: 2, nodeID: {}}'),
  );
  const encryption = configuration.all('UserVolumeConfig')[0]?.encryption;
  t.deepEqual(
    encryption?.keys.map(({ slot, kind }) => [slot, kind]),
    [
      [2, 'nodeID'],
      [5, 'static'],
    ],
  );
  const [, key] = encryption?.keys ?? [];
  t.is(key?.kind === 'static' ? key.passphrase.bytes.toString() : undefined, 'correct horse');
  t.like(encryption, {
    provider: 'luks2',
    cipher: 'aes-xts-plain64',
    keySizeBits: 512,
    options: [],
    allowDiscards: false,
  });
  t.is(encryption?.blockSize, undefined);
});

test('disposing a configuration wipes its passphrases', (t) => {
  const configuration = parse(withKeys('{static: {passphrase: "correct horse"}}'));
  const key = configuration.all('UserVolumeConfig')[0]?.encryption?.keys[0];
  configuration[Symbol.dispose]();
  t.throws(() => (key?.kind === 'static' ? key.passphrase.bytes : undefined), { instanceOf: TypeError });
});

test('a block without provider or keys is a mistake, never no encryption', (t) => {
  t.deepEqual(codesOf(encrypted('cipher: aes-xts-plain64')), [
    'encryption.provider_required',
    'encryption.keys_required',
  ]);
  t.deepEqual(codesOf(userVolume('encryption: {}')), [
    'encryption.provider_required',
    'encryption.keys_required',
  ]);
  t.deepEqual(codesOf(encrypted('keys: [{nodeID: {}}]')), ['encryption.provider_required']);
  t.deepEqual(codesOf(encrypted('provider: luks2, keys: []')), ['encryption.keys_required']);
  t.deepEqual(codesOf(encrypted('provider: luks1, keys: [{nodeID: {}}]')), ['invalid_value']);
});

test('slots are 0 to 31 and used once', (t) => {
  for (const slot of [0, 31]) t.deepEqual(codesOf(withKeys(`{slot: ${slot}, nodeID: {}}`)), []);
  for (const slot of [-1, 32])
    t.deepEqual(codesOf(withKeys(`{slot: ${slot}, nodeID: {}}`)), ['key.slot_range']);
  t.deepEqual(codesOf(withKeys('{slot: 1.5, nodeID: {}}')), ['wrong_type']);
  t.deepEqual(codesOf(withKeys('{slot: 3, nodeID: {}}, {slot: 3, nodeID: {}}')), ['key.slot_duplicate']);
  const [problem] = problemsOf(withKeys('{nodeID: {}}, {static: {passphrase: x}}'));
  t.is(problem?.code, 'key.slot_duplicate');
  t.regex(problem?.message ?? '', /0 is the default/u);
});

test('a key has exactly one source', (t) => {
  t.deepEqual(codesOf(withKeys('{slot: 1}')), ['key.source_required']);
  t.deepEqual(codesOf(withKeys('{static: {passphrase: x}, nodeID: {}}')), ['key.source_ambiguous']);
});

test('a passphrase is a text that is not empty', (t) => {
  t.deepEqual(codesOf(withKeys('{static: {passphrase: ""}}')), ['key.passphrase_empty']);
  t.deepEqual(codesOf(withKeys('{static: {passphrase: 12345}}')), ['wrong_type']);
  t.deepEqual(codesOf(withKeys('{static: {}}')), ['required']);
});

test('every kind of key is read, and locked to STATE only where it says so', (t) => {
  using configuration = parse(
    withKeys(
      '{nodeID: {}, lockToState: true}, {slot: 1, static: {passphrase: x}, lockToState: false}, ' +
        '{slot: 2, kms: {endpoint: "grpcs://kms.example:4050"}}, {slot: 3, tpm: {}}',
    ),
  );
  const keys = configuration.all('UserVolumeConfig')[0]?.encryption?.keys ?? [];
  t.like(keys[0], { slot: 0, kind: 'nodeID', lockToState: true });
  t.like(keys[1], { slot: 1, kind: 'static', lockToState: false });
  t.deepEqual(keys.slice(2), [
    { slot: 2, kind: 'kms', lockToState: false, endpoint: 'grpcs://kms.example:4050' },
    { slot: 3, kind: 'tpm', lockToState: false, pcrs: [7], checkSecurebootStatusOnEnroll: false },
  ]);
});

test('cipher and key size must fit', (t) => {
  const adiantum = 'xchacha20,aes-adiantum-plain64';
  const sized = (cipher: string, keySize: string): string[] =>
    codesOf(encrypted(`provider: luks2, keys: [{nodeID: {}}], cipher: "${cipher}"${keySize}`));
  for (const bits of [256, 512]) t.deepEqual(sized('aes-xts-plain64', `, keySize: ${bits}`), []);
  t.deepEqual(sized('aes-xts-plain64', ', keySize: 64'), ['encryption.key_size']); // bytes in place of bits
  t.deepEqual(sized(adiantum, ', keySize: 256'), []);
  t.deepEqual(sized(adiantum, ', keySize: 512'), ['encryption.key_size']);
  t.deepEqual(sized('aes-cbc-essiv:sha256', ', keySize: 1'), ['invalid_value']);
  using configuration = parse(encrypted(`provider: luks2, keys: [{nodeID: {}}], cipher: "${adiantum}"`));
  t.is(configuration.all('UserVolumeConfig')[0]?.encryption?.keySizeBits, 256);
});

test('block size and options are checked before a volume is opened', (t) => {
  for (const bytes of [512, 1024, 2048, 4096]) t.deepEqual(more(`blockSize: ${bytes}`), []);
  for (const bytes of [0, 520, 8192]) t.deepEqual(more(`blockSize: ${bytes}`), ['encryption.block_size']);
  t.deepEqual(more('options: [no_read_workqueue, same_cpu_crypt]'), []);
  t.deepEqual(more('options: [no_read_workqueue, no_read_workqueue]'), ['encryption.option_duplicate']);
  t.deepEqual(more('options: [fast]'), ['invalid_value']);
  t.deepEqual(more('options: no_read_workqueue'), ['wrong_type']);
});
