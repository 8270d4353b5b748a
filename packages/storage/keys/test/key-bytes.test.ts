import { create, type KeySpec, recover } from '../src/index.ts';
import { keyText } from '../src/key-text.ts';
import { Secret } from '@nodecore/sys';
import type { Token } from '@nodecore/luks';
import { TpmError } from '@nodecore/tpm';
import test from 'ava';

import { fakeMachine } from './fake-machine.ts';
import { kmsKey, locked, nodeKey, staticKey, tpmKey } from './specs.ts';

for (const sizeBytes of [1, 2, 3, 31, 32, 33, 128]) {
  test(`the text of ${sizeBytes} bytes is their padded base64`, (t) => {
    using bytes = Secret.random(sizeBytes);
    using text = keyText(bytes);
    t.is(text.bytes.toString('latin1'), bytes.bytes.toString('base64'));
  });
}

test('the text of 32 bytes has 44 characters', (t) => {
  using bytes = Secret.take(Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - n)));
  using text = keyText(bytes);
  t.is(text.bytes.toString('latin1'), '//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA=');
});

for (const spec of [tpmKey(1), kmsKey(1)]) {
  test(`a ${spec.kind} key is the base64 of what was sealed, and comes back from its token`, async (t) => {
    const { context } = fakeMachine();
    using made = await create(spec, context);
    t.regex(made.key.bytes.toString('latin1'), /^[A-Za-z0-9+/]{43}=$/);
    using again = await recover(spec, context, [token(made.token)]);
    t.true(again.equals(made.key));
    using other = await create(spec, context);
    t.false(other.key.equals(made.key), 'each is new');
  });
}

for (const spec of [staticKey(1, 'pass'), nodeKey(1)]) {
  test(`a ${spec.kind} key is the same each time, and has no token`, async (t) => {
    const { context } = fakeMachine();
    using made = await create(spec, context);
    t.is(made.token, undefined);
    using again = await recover(spec, context, []);
    t.true(again.equals(made.key));
  });
}

for (const spec of [staticKey(1, 'pass'), nodeKey(1), kmsKey(1), tpmKey(1)] satisfies KeySpec[]) {
  test(`a ${spec.kind} key that is locked to STATE has the 32 bytes of the salt behind it`, async (t) => {
    using salt = Secret.random(32);
    const { context } = fakeMachine({ salt });
    using made = await create(locked(spec), context);
    const bytes = made.key.bytes;
    t.true(bytes.subarray(-32).equals(salt.bytes));
    const tokens = made.token === undefined ? [] : [token(made.token)];
    using again = await recover(locked(spec), context, tokens);
    t.true(again.equals(made.key));
    if (spec.kind === 'static') t.is(bytes.subarray(0, -32).toString(), 'pass');
    if (made.token !== undefined) t.is(bytes.length, 44 + 32);
  });

  test(`a ${spec.kind} key that is locked to STATE waits for its salt, and asks nobody before`, async (t) => {
    const { context, tpm, kms } = fakeMachine();
    tpm.refuses = 'ERR_TPM_FAILED';
    kms.refuses = 'ERR_KMS_FAILED';
    const expected = { code: 'ERR_KEYS_SALT_MISSING' };
    const error = await t.throwsAsync(create(locked(spec), context), expected);
    t.like(error, { slot: 1, keyKind: spec.kind, permanence: 'transient' });
    await t.throwsAsync(recover(locked(spec), context, []), expected);
  });
}

test('a salt of another length is not a salt', async (t) => {
  using salt = Secret.random(31);
  const { context } = fakeMachine({ salt });
  const error = await t.throwsAsync(create(locked(nodeKey(0)), context), { code: 'ERR_KEYS_SALT_MISSING' });
  t.like(error, { permanence: 'needs-operator' });
});

test('systemd is not offered a token that gives only a part of the key', async (t) => {
  using salt = Secret.random(32);
  const { context } = fakeMachine({ salt });
  using open = await create(tpmKey(1), context);
  using made = await create(locked(tpmKey(1)), context);
  t.is(open.token?.type, 'systemd-tpm2');
  t.is(made.token?.type, 'nodecore-tpm2');
  await t.throwsAsync(recover(locked(tpmKey(1)), context, [token(open.token)]), {
    code: 'ERR_KEYS_TOKEN_MISSING',
  });
  await t.throwsAsync(recover(tpmKey(1), context, [token(made.token)]), { code: 'ERR_KEYS_TOKEN_MISSING' });
});

test('several tokens of a slot are tried in turn', async (t) => {
  const { context } = fakeMachine();
  using made = await create(tpmKey(1), context);
  const damaged: Token = { id: 0, json: { type: 'systemd-tpm2', keyslots: ['1'] } };
  using key = await recover(tpmKey(1), context, [damaged, token(made.token)]);
  t.true(key.equals(made.key));
});

test('a sealed key without a token says so', async (t) => {
  const { context } = fakeMachine();
  const error = await t.throwsAsync(recover(kmsKey(4), context, []), { code: 'ERR_KEYS_TOKEN_MISSING' });
  t.like(error, { slot: 4, keyKind: 'kms' });
});

test('without a TPM there is no TPM key', async (t) => {
  const { tpm: _, ...context } = fakeMachine().context;
  await t.throwsAsync(create(tpmKey(1), context), { code: 'ERR_KEYS_NO_TPM' });
});

for (const [name, found] of Object.entries({
  'switched off': { state: 'disabled', setupMode: false },
  'in setup mode': { state: 'setup', setupMode: true },
  'not there': { state: 'unsupported', setupMode: false },
} as const)) {
  test(`enrolment that wants Secure Boot is refused while it is ${name}`, async (t) => {
    const { context, tpm } = fakeMachine({ secureBoot: async () => found });
    const spec = { ...tpmKey(1), checkSecurebootStatusOnEnroll: true };
    const error = await t.throwsAsync(create(spec, context), { code: 'ERR_KEYS_SECURE_BOOT' });
    t.like(error, { permanence: 'needs-operator' });
    using made = await create(tpmKey(1), context);
    t.truthy(made.token, 'nobody asked for it');
    using key = await recover(spec, context, [token(made.token)]);
    t.true(key.equals(made.key), 'it is not looked at when the key is used');
    t.is(tpm.connections, 0, 'each connection is closed');
  });
}

test('enrolment that wants Secure Boot works when it is in force', async (t) => {
  const { context } = fakeMachine({ secureBoot: async () => ({ state: 'enabled', setupMode: false }) });
  using made = await create({ ...tpmKey(1), checkSecurebootStatusOnEnroll: true }, context);
  t.truthy(made.token);
});

test('the signing key of the boot image becomes part of the policy', async (t) => {
  const publicKey = Buffer.from('-----BEGIN PUBLIC KEY-----');
  const { context } = fakeMachine({ tpmSignatures: async () => ({ publicKey }) });
  using made = await create(tpmKey(1), context);
  t.is(made.token?.['tpm2_pubkey'], publicKey.toString('base64'));
});

test('a key server that does not give back what it sealed is found out at once', async (t) => {
  const { context, kms } = fakeMachine();
  kms.liesFrom = 1;
  await t.throwsAsync(create(kmsKey(1), context), { code: 'ERR_KEYS_UNPROVEN' });
});

test('errors of the TPM and of key servers come as they are', async (t) => {
  const { context, tpm } = fakeMachine();
  using made = await create(tpmKey(1), context);
  tpm.changeRegisters();
  const error = await t.throwsAsync(recover(tpmKey(1), context, [token(made.token)]), {
    instanceOf: TpmError,
  });
  t.is(error?.code, 'ERR_TPM_PCR_MISMATCH');
});

test('a TPM that hangs costs its time limit, and what it gives in the end is wiped', async (t) => {
  const late = Promise.withResolvers<Secret>();
  const { context } = fakeMachine();
  using made = await create(tpmKey(1), context);
  const hanging = {
    ...context,
    tpm: async () => ({ ...(await context.tpm!({})), unseal: () => late.promise }),
  };
  const error = await t.throwsAsync(recover(tpmKey(1), hanging, [token(made.token)], { timeoutMs: 1 }), {
    code: 'ERR_KEYS_TIMEOUT',
  });
  t.like(error, { slot: 1, keyKind: 'tpm', permanence: 'transient' });
  const secret = Secret.random(32);
  late.resolve(secret);
  await new Promise((resolve) => setImmediate(resolve));
  t.throws(() => secret.bytes, { instanceOf: TypeError });
});

function token(json: Token['json'] | undefined): Token {
  if (json === undefined) throw new TypeError('no token');
  return { id: 7, json };
}
