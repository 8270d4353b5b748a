import type { Encryption } from '@nodecore/config';
import { Secret } from '@nodecore/sys';
import test from 'ava';

import { decodeStateKeys, encodeStateKeys, noStateKeys } from '../src/persistence/state-encryption.ts';

const encryption: Encryption = {
  provider: 'luks2',
  keys: [
    { slot: 0, lockToState: false, kind: 'nodeID' },
    { slot: 1, lockToState: false, kind: 'tpm', pcrs: [7], checkSecurebootStatusOnEnroll: true },
    { slot: 3, lockToState: false, kind: 'kms', endpoint: 'grpcs://kms.example:4050' },
  ],
  cipher: 'aes-xts-plain64',
  keySizeBits: 512,
  options: ['no_read_workqueue'],
  allowDiscards: true,
};

test('what is stored opens STATE as the configuration would', (t) => {
  const stored = {
    encryption,
    previousKeys: [{ slot: 5, lockToState: false, kind: 'nodeID' } as const],
    roots: ['-----BEGIN CERTIFICATE-----'],
  };
  t.deepEqual(decodeStateKeys(encodeStateKeys(stored)), stored);
  t.deepEqual(decodeStateKeys(encodeStateKeys(noStateKeys)), noStateKeys);
  t.deepEqual(decodeStateKeys(undefined), noStateKeys);
});

test('a record of an earlier version opens STATE', (t) => {
  const { keys: _keys, ...rest } = encryption;
  const text = JSON.stringify({ ...rest, keys: [{ slot: 0, kind: 'nodeID' }] });
  t.deepEqual(decodeStateKeys(Buffer.from(text)).encryption?.keys, [encryption.keys[0]]);
});

test('a passphrase never gets into META, and a key that needs one is not invented', (t) => {
  const passphrase = Secret.take(Buffer.from('geheimnis'));
  const key = { slot: 1, lockToState: false, kind: 'static', passphrase } as const;
  for (const stored of [
    encodeStateKeys({ ...noStateKeys, encryption: { ...encryption, keys: [key] } }),
    encodeStateKeys({ ...noStateKeys, encryption, previousKeys: [key] }),
  ]) {
    t.false(stored.toString().includes('geheimnis'));
    t.throws(() => decodeStateKeys(stored), { code: 'ERR_STATE_DAMAGED' });
  }
  t.throws(() => decodeStateKeys(Buffer.from('{')), { code: 'ERR_STATE_DAMAGED' });
});

const inClear = (slot: number, passphrase: Uint8Array) =>
  ({
    slot,
    lockToState: false,
    kind: 'static',
    passphrase: Secret.copy(passphrase),
    inClear: true,
  }) as const;

test('a passphrase whose author has consented opens STATE at the next boot, with the bytes that it has', (t) => {
  const bytes = Buffer.from([0x0a, 0x00, 0xff, 0x22, 0x7b]);
  const stored = encodeStateKeys({
    encryption: {
      ...encryption,
      keys: [...encryption.keys, inClear(4, bytes), inClear(5, Buffer.from('zwei'))],
    },
    previousKeys: [inClear(6, Buffer.from('drei\n'))],
    roots: [],
  });
  const { encryption: decoded, previousKeys } = decodeStateKeys(stored);
  t.deepEqual(decoded?.keys.slice(0, 3), encryption.keys);
  const passphrases = [...(decoded?.keys ?? []), ...previousKeys].flatMap((one) =>
    one.kind === 'static' ? [[one.slot, one.inClear, one.passphrase.bytes.toString('latin1')]] : [],
  );
  t.deepEqual(passphrases, [
    [4, true, bytes.toString('latin1')],
    [5, true, 'zwei'],
    [6, true, 'drei\n'],
  ]);
  t.throws(() => decodeStateKeys(stored.subarray(0, -1)), { code: 'ERR_STATE_DAMAGED', message: /cut off/ });
});
