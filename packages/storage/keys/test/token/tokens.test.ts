import { KeysError } from '../../src/index.ts';
import { readJournal, writeJournal } from '../../src/token/journal.ts';
import { readKmsToken, readSideroKmsToken, writeKmsToken } from '../../src/token/kms-token.ts';
import { readRecord, writeRecord } from '../../src/token/record.ts';
import { readTalosTpm2Token } from '../../src/token/talos-tpm2-token.ts';
import { foreignType, isOrphan, tokensOf } from '../../src/token/token-kinds.ts';
import { readTpm2Token, writeTpm2Token } from '../../src/token/tpm2-token.ts';
import test from 'ava';

import { talosToken, tpm2Token } from './samples.ts';

test('what is sealed is written as systemd writes it', (t) => {
  const sealed = readTpm2Token(tpm2Token);
  t.deepEqual(writeTpm2Token('systemd-tpm2', sealed), { ...tpm2Token, keyslots: [] });
  t.deepEqual(sealed.pcrs, [7, 11]);
  t.is(sealed.bank, 'sha256');
  t.is(sealed.policyHash.length, 32);
  t.is(Buffer.from(sealed.publicKey ?? []).toString(), 'PEM');
  t.deepEqual(sealed.publicKeyPcrs, [11]);
  t.is(sealed.keyName?.length, 34);
  t.is(sealed.measured?.values.get(7)?.length, 32);
});

test('a token of systemd 248 has neither bank nor algorithm', (t) => {
  const { 'tpm2-blob': blob, 'tpm2-policy-hash': hash, type, keyslots } = tpm2Token;
  const old = { type, keyslots, 'tpm2-blob': blob, 'tpm2-pcrs': [7], 'tpm2-policy-hash': hash };
  t.like(readTpm2Token(old), { bank: 'sha256', primaryAlg: 'ecc', pin: false, publicKeyPcrs: [], pcrs: [7] });
});

test('the registers of a token are sorted, each once', (t) => {
  t.deepEqual(readTpm2Token({ ...tpm2Token, 'tpm2-pcrs': [11, 7, 7] }).pcrs, [7, 11]);
});

for (const [name, fields] of Object.entries({
  tpm2_pcrlock: { tpm2_pcrlock: true },
  'tpm2-blob': { 'tpm2-blob': ['AAAA', 'AAAA'] },
  'tpm2-policy-hash': { 'tpm2-policy-hash': ['00', '11'] },
})) {
  test(`a later systemd's ${name} is refused by its name`, (t) => {
    const error = t.throws(() => readTpm2Token({ ...tpm2Token, ...fields }), { instanceOf: KeysError });
    t.is(error?.code, 'ERR_KEYS_TOKEN_UNSUPPORTED');
    t.regex(error?.message ?? '', new RegExp(name));
  });
}

test('what systemd writes when it does not use a feature is accepted', (t) => {
  t.notThrows(() => readTpm2Token({ ...tpm2Token, tpm2_pcrlock: false, 'some-later-field': 1 }));
});

for (const [name, value] of [
  ['tpm2-blob', 'not base64!'],
  ['tpm2-blob', ''],
  ['tpm2-blob', undefined],
  ['tpm2-pcrs', [24]],
  ['tpm2-pcrs', ['7']],
  ['tpm2-pcrs', { 0: 7 }],
  ['tpm2-pcr-bank', 'md5'],
  ['tpm2-primary-alg', 'dsa'],
  ['tpm2-policy-hash', 'xyz'],
  ['tpm2-policy-hash', 'abc'],
  ['tpm2-pin', 'yes'],
  ['tpm2_pubkey', 7],
  ['tpm2_pubkey_pcrs', -1],
  ['tpm2_salt', []],
  ['tpm2_srk', true],
  ['nodecore-key-name', 0],
] as const) {
  test(`${name} ${JSON.stringify(value)} is no field of a token, and the error names it`, (t) => {
    const error = t.throws(() => readTpm2Token({ ...tpm2Token, [name]: value }), { instanceOf: KeysError });
    t.is(error?.code, 'ERR_KEYS_TOKEN_INVALID');
    t.true(error?.message.includes(name));
  });
}

test('what was measured only explains: damage to it costs nothing', (t) => {
  t.is(readTpm2Token({ ...tpm2Token, 'nodecore-measured': { v: 'x' } }).measured, undefined);
});

test('a token of the modelled system is read', (t) => {
  const sealed = readTalosTpm2Token(talosToken, Buffer.from('PEM'));
  t.like(sealed, { pcrs: [7], bank: 'sha256', primaryAlg: 'ecc', pin: false, publicKeyPcrs: [11] });
  t.is(Buffer.from(sealed.blob).toString('hex'), '0003aabbcc0002ddee');
  t.is(sealed.keyName?.length, 34);
});

test('tokens of the modelled system from before versions are bound as they were then', (t) => {
  const { encryption_version: _, pubkey_pcrs: __, ...first } = talosToken.UserData;
  const key = Buffer.from('PEM');
  t.deepEqual(readTalosTpm2Token({ ...talosToken, UserData: { ...first, pcrs: [11] } }, key).pcrs, [7]);
  t.deepEqual(readTalosTpm2Token({ ...talosToken, UserData: { ...first, pcrs: [7] } }, key).pcrs, []);
});

test('a token of the modelled system is refused for a version of its own, and without a signing key', (t) => {
  const later = { ...talosToken, UserData: { ...talosToken.UserData, encryption_version: '2' } };
  t.throws(() => readTalosTpm2Token(later, Buffer.from('PEM')), { code: 'ERR_KEYS_TOKEN_UNSUPPORTED' });
  t.throws(() => readTalosTpm2Token(talosToken, undefined), { code: 'ERR_KEYS_TOKEN_UNSUPPORTED' });
});

for (const sealed_blob_private of ['AAM=', 'AAQB', 'AAIBAgM=']) {
  test(`${sealed_blob_private} has not the size it says`, (t) => {
    const token = { ...talosToken, UserData: { ...talosToken.UserData, sealed_blob_private } };
    t.throws(() => readTalosTpm2Token(token, Buffer.from('PEM')), { code: 'ERR_KEYS_TOKEN_INVALID' });
  });
}

test('what a key server sealed is written and read', (t) => {
  const sealed = Buffer.from([1, 2, 3]);
  const token = writeKmsToken({ sealed, endpoint: 'grpcs://kms:4050' });
  t.like(token, { type: 'nodecore-kms', keyslots: [], sealed: 'AQID' });
  t.deepEqual(readKmsToken(token), { sealed, endpoint: 'grpcs://kms:4050' });
  t.throws(() => readKmsToken({ ...token, version: 2 }), { code: 'ERR_KEYS_TOKEN_UNSUPPORTED' });
  t.throws(() => readKmsToken({ ...token, sealed: 5 }), { code: 'ERR_KEYS_TOKEN_INVALID' });
  t.deepEqual(readSideroKmsToken({ type: 'sideroKMS', UserData: { sealedData: 'AQID' } }), { sealed });
  t.throws(() => readSideroKmsToken({ type: 'sideroKMS' }), { code: 'ERR_KEYS_TOKEN_INVALID' });
});

test('a journal and a record are written and read', (t) => {
  const journal = { slot: 1, spare: 31, token: 4, old: [2, 3] };
  t.deepEqual(readJournal({ id: 9, json: writeJournal(journal) }), { id: 9, ...journal });
  t.deepEqual(readRecord(writeRecord([0, 4])), [0, 4]);
});

for (const fields of [{ slot: 31, spare: 31 }, { spare: -1 }, { token: 9 }, { old: 'all' }, { slot: null }]) {
  test(`a journal with ${JSON.stringify(fields)} is none`, (t) => {
    const json = { ...writeJournal({ slot: 1, spare: 31, token: 4, old: [] }), ...fields };
    t.throws(() => readJournal({ id: 9, json }), { code: 'ERR_KEYS_TOKEN_INVALID' });
  });
}

test('tokens of the modelled system belong to the keyslot of their number', (t) => {
  const legacy = { id: 3, json: { type: 'sideroKMS', keyslots: [] } };
  const assigned = { id: 4, json: { type: 'systemd-tpm2', keyslots: ['3', '99', 'x'] } };
  const header = { keyslots: [3], taken: [3], tokens: [legacy, assigned] };
  t.deepEqual(tokensOf(3, header.tokens), [legacy, assigned]);
  t.deepEqual(tokensOf(4, header.tokens), []);
  t.false(isOrphan(legacy, [3]));
  t.true(isOrphan(legacy, [4]));
  t.true(isOrphan(assigned, [4]));
  t.is(foreignType(3, header), undefined);
});

for (const type of ['systemd-recovery', 'systemd-fido2', 'systemd-pkcs11', 'clevis', 'whatever']) {
  test(`a keyslot with a ${type} token is somebody else's`, (t) => {
    const tokens = [{ id: 0, json: { type, keyslots: ['3'] } }];
    t.is(foreignType(3, { keyslots: [3], taken: [3], tokens }), type);
  });
}
