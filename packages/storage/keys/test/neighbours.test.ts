import type { Token } from '@nodecore/luks';
import { TpmError } from '@nodecore/tpm';
import test from 'ava';

import { create, failureOf, unlock } from '../src/index.ts';
import { freeTokenIds } from '../src/plan-facts.ts';
import { writeJournal } from '../src/token/journal.ts';
import { PowerCut } from './fake-header.ts';
import { fakeMachine, kmsError } from './fake-machine.ts';
import { kmsKey, staticKey, tpmKey } from './specs.ts';
import { boot, provisioned } from './world.ts';

const base = staticKey(0, 'correct horse');

function journal(id: number, slot: number, token: number): Token {
  return { id, json: writeJournal({ slot, spare: slot + 20, token, old: [] }) };
}

test('the numbers that open changes have set aside for their tokens are not given away', (t) => {
  const ids = freeTokenIds({ keyslots: [], taken: [], tokens: [journal(31, 1, 5), journal(30, 2, 6)] });
  t.is(ids.length, 28);
  t.false(ids.some((id) => [5, 6, 30, 31].includes(id)));
});

test('two changes at a time that both wait have a token each', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, staticKey(1, 'a'), staticKey(2, 'b')], context);
  // The tokens of their own numbers are taken, so that both take the first that is free.
  for (const id of [1, 2]) header.stored.set(id, { type: 'somebody', keyslots: [] });
  header.beforeWrite = (write, _slot, token) => {
    if (write !== 'setToken' || token?.type !== 'nodecore-kms') return;
    throw Object.assign(new Error('busy'), { code: 'EBUSY' });
  };
  await boot(header, [base, kmsKey(1), kmsKey(2)], context);
  const asides = header.tokens
    .filter(({ json }) => json.type === 'nodecore-rotation')
    .map(({ json }) => json['token']);
  t.is(asides.length, 2);
  t.is(new Set(asides).size, 2);
});

test("a spare keyslot that became somebody else's is not removed at the end of a change", async (t) => {
  const { context } = fakeMachine();
  const begun = await provisioned([base, tpmKey(1)], context);
  const specs = [base, kmsKey(1)];
  let met = 0;
  for (const token of [
    { type: 'systemd-fido2', keyslots: ['31'] },
    { type: 'systemd-recovery', keyslots: ['31'] },
    { type: 'systemd-tpm2', keyslots: ['31'], 'tpm2-pin': true },
  ]) {
    for (let cutAfter = 1; ; cutAfter += 1) {
      const cut = begun.restarted();
      cut.cutAfter = cutAfter;
      const isCut = await boot(cut, specs, context).then(
        () => false,
        (error: unknown) => error instanceof PowerCut,
      );
      if (!isCut) break;
      const header = cut.restarted();
      if (!header.keys.has(31)) continue;
      header.stored.set(25, token);
      const before = header.keys.get(31);
      await boot(header, specs, context);
      t.deepEqual(header.keys.get(31), before, `${token.type}, after ${cutAfter} writes`);
      met += 1;
    }
  }
  t.true(met > 9);
});

test('no key is made while anybody may enrol keys of Secure Boot, or while it is off', async (t) => {
  for (const found of [
    { state: 'enabled', setupMode: true },
    { state: 'setup', setupMode: true },
    { state: 'disabled', setupMode: false },
    { state: 'unsupported', setupMode: false },
  ] as const) {
    const { context, tpm } = fakeMachine({ secureBoot: async () => found });
    const strict = { ...tpmKey(1), checkSecurebootStatusOnEnroll: true };
    await t.throwsAsync(create(strict, context), { code: 'ERR_KEYS_SECURE_BOOT' }, found.state);
    t.is(tpm.connections, 0);
  }
  const { context } = fakeMachine({ secureBoot: async () => ({ state: 'enabled', setupMode: false }) });
  using made = await create({ ...tpmKey(1), checkSecurebootStatusOnEnroll: true }, context);
  t.is(made.token?.type, 'systemd-tpm2');
});

test('a key server that is busy, away or slow may come back; one that refuses does not', async (t) => {
  for (const [code, permanence] of [
    ['ERR_KMS_BUSY', 'transient'],
    ['ERR_KMS_UNREACHABLE', 'transient'],
    ['ERR_KMS_TIMEOUT', 'transient'],
    ['ERR_KMS_REFUSED', 'needs-operator'],
    ['ERR_KMS_ENDPOINT', 'fatal'],
  ] as const) {
    t.is(failureOf(kmsKey(1), kmsError(code, 'grpc://kms', 'no')).permanence, permanence, code);
    const { context, kms } = fakeMachine();
    const header = await provisioned([base, kmsKey(1)], context);
    kms.refuses = code;
    const error = await t.throwsAsync(unlock(header, [kmsKey(1)], context), { code: 'ERR_KEYS_NONE' });
    t.like(error, { permanence: permanence === 'transient' ? 'transient' : 'needs-operator' }, code);
  }
});

test('a TPM that may still come is waited for, one that is not there is not', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, tpmKey(1)], context);
  for (const permanence of ['transient', undefined] as const) {
    const details = permanence === undefined ? {} : { permanence };
    const tpm = async (): Promise<never> => {
      throw new TpmError('ERR_TPM_NOT_FOUND', 'there is no TPM 2.0', details);
    };
    const error = await t.throwsAsync(unlock(header, [tpmKey(1)], { ...context, tpm }), {
      code: 'ERR_KEYS_NONE',
    });
    const expected = permanence ?? 'needs-operator';
    t.like(error, { permanence: expected, failures: [{ code: 'ERR_TPM_NOT_FOUND', permanence: expected }] });
  }
});
