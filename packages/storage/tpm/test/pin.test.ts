import { createHash, pbkdf2Sync } from 'node:crypto';

import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import type { Tpm } from '../src/index.ts';
import { authValueOf } from '../src/pin.ts';
import { hex, opened, started, tool } from './software.ts';

const withTpm = testWith(program('swtpm'), program('tpm2_dictionarylockout'));

function pinOf(text: string): Secret {
  return Secret.take(Buffer.from(text));
}

test('a PIN becomes the authorization value that systemd derives, with a salt and without', async (t) => {
  using pin = pinOf('1234');
  using plain = await authValueOf(pin);
  t.is(hex(plain.bytes), createHash('sha256').update('1234').digest('hex'));
  const salt = Buffer.from('salt of a token');
  using salted = await authValueOf(pin, salt);
  const text = pbkdf2Sync('1234', salt, 10_000, 32, 'sha256').toString('base64');
  t.is(hex(salted.bytes), createHash('sha256').update(text).digest('hex'));
});

test('zeros at the end of an authorization value are left out, as the TPM does', async (t) => {
  const text = Array.from({ length: 2000 }, (_, n) => `pin ${n}`).find(
    (candidate) => createHash('sha256').update(candidate).digest()[31] === 0,
  );
  using pin = pinOf(text ?? '');
  using value = await authValueOf(pin);
  t.is(value.sizeBytes, 31);
});

withTpm('a PIN is asked for, checked, and the tries are counted', async (t) => {
  const { tpm } = await started(t);
  using secret = Secret.random(32);
  using pin = pinOf('1234');
  using wrong = pinOf('4321');
  const sealed = await tpm.seal(secret, { pcrs: [7], pin });
  t.true(sealed.pin);
  await t.throwsAsync(tpm.unseal(sealed), { code: 'ERR_TPM_PIN_REQUIRED' });
  await t.throwsAsync(tpm.unseal(sealed, { pin: wrong }), {
    code: 'ERR_TPM_PIN_REJECTED',
    message: /1 of 3 tries are used, one is forgiven every 1000 s/,
  });
  t.like(await tpm.lockout(), { inLockout: false, failedTries: 1, maxTries: 3, recoverySeconds: 1000 });
  using back = await tpm.unseal(sealed, { pin });
  t.true(back.equals(secret));
  using empty = pinOf('');
  await t.throwsAsync(tpm.seal(secret, { pcrs: [7], pin: empty }), { code: 'ERR_TPM_UNSUPPORTED' });
});

withTpm('an empty PIN is none, and costs no try', async (t) => {
  const { tpm } = await started(t);
  using secret = Secret.random(32);
  using pin = pinOf('1234');
  using empty = pinOf('');
  const sealed = await tpm.seal(secret, { pcrs: [7], pin });
  for (let tries = 0; tries < 5; tries += 1) {
    await t.throwsAsync(tpm.unseal(sealed, { pin: empty }), {
      code: 'ERR_TPM_PIN_REQUIRED',
      message: /empty/,
    });
  }
  t.like(await tpm.lockout(), { inLockout: false, failedTries: 0 });
});

/** Somebody guesses at a PIN until the TPM is locked out. */
async function lockOut(t: ExecutionContext, tpm: Tpm): Promise<void> {
  using secret = Secret.random(32);
  using pin = pinOf('1234');
  using wrong = pinOf('4321');
  const guarded = await tpm.seal(secret, { pcrs: [], pin });
  for (let tries = 0; tries < 3; tries += 1) {
    await t.throwsAsync(tpm.unseal(guarded, { pin: wrong }), { code: 'ERR_TPM_PIN_REJECTED' });
  }
  t.like(await tpm.lockout(), { inLockout: true });
  await t.throwsAsync(tpm.unseal(guarded, { pin }), { code: 'ERR_TPM_LOCKOUT' });
}

withTpm(
  'what we sealed without a PIN opens in a TPM that is locked out, and can be sealed there',
  async (t) => {
    const { tpm } = await started(t);
    using secret = Secret.random(32);
    const bound = await tpm.seal(secret, { pcrs: [7] });
    const free = await tpm.seal(secret, { pcrs: [] });
    await lockOut(t, tpm);
    const late = await tpm.seal(secret, { pcrs: [7] });
    for (const sealed of [bound, free, late]) {
      using back = await tpm.unseal(sealed);
      t.true(back.equals(secret));
    }
    t.like(await tpm.lockout(), { inLockout: true, failedTries: 3 }, 'which opened, it still is');
  },
);

withTpm(
  'a TPM in lockout refuses what was sealed under the template, until the lockout is over',
  async (t) => {
    const { software, tpm } = await started(t);
    using secret = Secret.random(32);
    using pin = pinOf('1234');
    using wrong = pinOf('4321');
    const guarded = await tpm.seal(secret, { pcrs: [7], pin });
    const plain = await tpm.seal(secret, { pcrs: [7] }, { storageRoot: 'ecc' });
    for (let tries = 0; tries < 3; tries += 1) {
      await t.throwsAsync(tpm.unseal(guarded, { pin: wrong }), { code: 'ERR_TPM_PIN_REJECTED' });
    }
    t.like(await tpm.lockout(), { inLockout: true, failedTries: 3 });
    await t.throwsAsync(tpm.unseal(guarded, { pin }), {
      code: 'ERR_TPM_LOCKOUT',
      message: /locked out after too many wrong PINs.*3 of 3 tries are used/,
    });
    // Its storage root key, which the template gives, is protected too, so that what has no PIN does not open either.
    await t.throwsAsync(tpm.unseal(plain), { code: 'ERR_TPM_LOCKOUT' });
    const template = { storageRoot: 'ecc' } as const;
    await t.throwsAsync(tpm.seal(secret, { pcrs: [7] }, template), { code: 'ERR_TPM_LOCKOUT' });
    await tpm.close();
    await tool(software.tcti, ['tpm2_dictionarylockout', '--clear-lockout']);
    const free = await opened(t, { tcti: software.tcti });
    t.like(await free.lockout(), { inLockout: false, failedTries: 0 });
    for (const sealed of [guarded, plain]) {
      using back = await free.unseal(sealed, { pin });
      t.true(back.equals(secret));
    }
  },
);
