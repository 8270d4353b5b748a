import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { keyPath, keysDirectory, loadKey, saveKey } from '../src/key-file.ts';
import { generateSigningKey, readSigningKey } from '../src/keys.ts';
import {
  decodeServiceAccount,
  encodeServiceAccount,
  serviceAccountIdentity,
} from '../src/service-account.ts';

const owner = { context: 'fleet', identity: 'me@example.org' };

test('keys are where the flag says, then the variable, then in the home directory', (t) => {
  const env = { AUTHV1_KEYS_DIR: '/variable', HOME: '/home/me' };
  t.is(keysDirectory({ flag: '/flag', env }), '/flag');
  t.is(keysDirectory({ env }), '/variable');
  t.is(keysDirectory({ env: { HOME: '/home/me' } }), '/home/me/.os/keys');
  t.throws(() => keysDirectory({ env: {} }), { code: 'ERR_AUTHV1_NO_KEY' });
  t.is(keyPath({ flag: '/k', env }, owner), '/k/fleet-me@example.org.pgp');
  t.throws(() => keyPath({ flag: '/k', env }, { ...owner, identity: '../../x' }), { code: 'ERR_AUTHV1_KEY' });
});

test('a key is written for its owner alone, and read again; a missing one says which file it is', async (t) => {
  const place = { flag: join(await temporaryDirectory(t), 'keys'), env: {} };
  const missing = await t.throwsAsync(loadKey(place, owner), { code: 'ERR_AUTHV1_NO_KEY' });
  t.true(missing?.message.includes(keyPath(place, owner)));
  const made = await generateSigningKey({ name: 'test', email: owner.identity, lifetimeMs: 1000 });
  const path = await saveKey(place, owner, made.secret);
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.is((await stat(place.flag)).mode & 0o777, 0o700);
  using loaded = await loadKey(place, owner);
  t.true(loaded.equals(made.secret));
  const { keyId } = await readSigningKey(loaded);
  made.secret[Symbol.dispose]();
  t.regex(keyId, /^[0-9a-f]{40}$/u);
});

test('a service account is base64 of JSON, both ways', async (t) => {
  const name = serviceAccountIdentity('automation');
  const made = await generateSigningKey({ name: 'test', email: name, lifetimeMs: 1000 });
  using text = encodeServiceAccount({ name, key: made.secret });
  const account = decodeServiceAccount(text.bytes.toString('latin1'));
  t.is(account.name, name);
  t.true(account.key.equals(made.secret));
  for (const secret of [made.secret, account.key]) secret[Symbol.dispose]();
  for (const wrong of ['', 'x', 'e30=', 'W10=', 'bnVsbA==', 'A'.repeat(70_000)])
    t.throws(() => decodeServiceAccount(wrong), { code: 'ERR_AUTHV1_ACCOUNT' });
  t.throws(() => serviceAccountIdentity('A b'), { code: 'ERR_AUTHV1_ACCOUNT' });
});
