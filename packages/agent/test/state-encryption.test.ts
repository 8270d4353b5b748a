import type { Encryption } from '@nodecore/config';
import { Secret } from '@nodecore/sys';
import test from 'ava';

import { decodeStateEncryption, encodeStateEncryption } from '../src/persistence/state-encryption.ts';

const encryption: Encryption = {
  provider: 'luks2',
  keys: [
    { slot: 0, kind: 'nodeID', lockToState: false },
    { slot: 3, kind: 'nodeID', lockToState: false },
  ],
  cipher: 'aes-xts-plain64',
  keySizeBits: 512,
  options: ['no_read_workqueue'],
  allowDiscards: true,
};

test('what is stored opens STATE as the configuration would', (t) => {
  t.deepEqual(decodeStateEncryption(encodeStateEncryption(encryption)), encryption);
  t.is(decodeStateEncryption(encodeStateEncryption(undefined)), undefined);
  t.is(decodeStateEncryption(undefined), undefined);
});

test('a passphrase never gets into META, and a key that needs one is not invented', (t) => {
  const passphrase = Secret.take(Buffer.from('geheimnis'));
  const keys = [{ slot: 1, kind: 'static', passphrase, lockToState: false }] as const;
  const stored = encodeStateEncryption({ ...encryption, keys });
  t.false(stored.toString().includes('geheimnis'));
  t.throws(() => decodeStateEncryption(stored), { code: 'ERR_STATE_DAMAGED' });
  t.throws(() => decodeStateEncryption(Buffer.from('{')), { code: 'ERR_STATE_DAMAGED' });
});
