import type { TokenJson } from '@nodecore/luks';
import test, { type ExecutionContext } from 'ava';

import { type KeySpec, planRotation, rotate, synchronise, unlock } from '../src/index.ts';
import { type FakeHeader, PowerCut } from './fake-header.ts';
import { type FakeMachine, fakeMachine } from './fake-machine.ts';
import { kmsKey, nodeKey, staticKey, tpmKey } from './specs.ts';
import { assertSettled, boot, provisioned } from './world.ts';

const base = staticKey(0, 'correct horse');
const byHand = Buffer.from('enrolled by hand');

const sealed: TokenJson = {
  type: 'systemd-tpm2',
  keyslots: ['1'],
  'tpm2-blob': 'AAAA',
  'tpm2-pcrs': [7],
  'tpm2-pcr-bank': 'sha256',
  'tpm2-primary-alg': 'ecc',
  'tpm2-policy-hash': '00'.repeat(32),
  'tpm2-pin': false,
};

const guards: Readonly<Record<string, TokenJson>> = {
  'a PIN': { ...sealed, 'tpm2-pin': true },
  'what may be a PIN': { ...sealed, 'tpm2-pin': 1 },
  'a pcrlock policy': { ...sealed, tpm2_pcrlock: true },
  'a pcrlock policy in the TPM': { ...sealed, tpm2_pcrlock_nv: 'AAAA' },
  'a policy in shards': { ...sealed, 'tpm2-blob': ['AAAA', 'AAAA'] },
};

/** A header with a keyslot that somebody enrolled by hand, with or without a record that calls it ours. */
async function enrolled(
  machine: FakeMachine,
  token: TokenJson,
  options: { readonly onRecord?: boolean } = {},
): Promise<FakeHeader> {
  const header = await provisioned([base], machine.context);
  header.keys.set(1, byHand);
  header.stored.set(1, token);
  for (const [id, json] of header.stored) {
    if (json.type !== 'nodecore-keys') continue;
    if (options.onRecord === true) header.stored.set(id, { ...json, slots: [0, 1] });
    else header.stored.delete(id);
  }
  return header.restarted();
}

function assertUntouched(t: ExecutionContext, header: FakeHeader, token: TokenJson): void {
  t.deepEqual(header.keys.get(1), byHand);
  t.deepEqual(header.stored.get(1), token);
}

for (const [guard, token] of Object.entries(guards)) {
  test(`a keyslot with ${guard} is not rotated, unless it is named`, async (t) => {
    for (const onRecord of [false, true]) {
      const machine = fakeMachine();
      const { context } = machine;
      const specs = [base, tpmKey(1)];
      const header = await enrolled(machine, token, { onRecord });
      using opener = await unlock(header, [base], context);
      const plan = await planRotation(header, specs, context, opener);
      t.like(plan.keys[1], { slot: 1, action: 'blocked', loses: [] });
      const { failed } = await rotate(header, specs, context, opener);
      t.is(failed[0]?.slot, 1);
      t.is(failed[0]?.permanence, 'needs-operator');
      assertUntouched(t, header, token);

      const named = await planRotation(header, specs, context, opener, { slots: [1] });
      t.like(named.keys[1], { slot: 1, action: 'replace' });
      t.is(named.keys[1]?.loses.length, 1, named.keys[1]?.loses.join());
      assertUntouched(t, header, token);
      t.deepEqual((await rotate(header, specs, context, opener, { slots: [1] })).failed, []);
      await assertSettled(t, header, specs, context);
    }
  });

  for (const other of [tpmKey(1), kmsKey(1), nodeKey(1), staticKey(1, 'another')]) {
    test(`a ${other.kind} key that is configured for a keyslot with ${guard} does not take it`, async (t) => {
      const machine = fakeMachine();
      const header = await enrolled(machine, token);
      const { failed } = await boot(header, [base, other], machine.context);
      t.is(failed[0]?.slot, 1);
      assertUntouched(t, header, token);
      await boot(header, [base], machine.context);
      assertUntouched(t, header, token);
    });
  }

  test(`a keyslot of the record that has ${guard} since is not removed`, async (t) => {
    const machine = fakeMachine();
    const header = await enrolled(machine, token, { onRecord: true });
    await boot(header, [base], machine.context);
    assertUntouched(t, header, token);
  });
}

test('the refusal of a guarded keyslot says what would be lost and how it is replaced', async (t) => {
  const machine = fakeMachine();
  const header = await enrolled(machine, { ...sealed, 'tpm2-pin': true });
  const { failed } = await boot(header, [base, kmsKey(1)], machine.context);
  t.like(failed, [{ slot: 1, code: 'ERR_KEYS_SLOT_GUARDED', permanence: 'needs-operator' }]);
  t.regex(failed[0]?.message ?? '', /a PIN.*names the slot/);
});

/** Rotates the guarded keyslot by name, and loses power after so many writes. */
async function cut(
  machine: FakeMachine,
  token: TokenJson,
  cutAfter: number,
): Promise<FakeHeader | undefined> {
  const header = await enrolled(machine, token);
  header.cutAfter = cutAfter;
  using opener = await unlock(header, [base], machine.context);
  const specs = [base, tpmKey(1)];
  try {
    await rotate(header, specs, machine.context, opener, { slots: [1] });
    return undefined;
  } catch (error) {
    if (!(error instanceof PowerCut)) throw error;
    return header.restarted();
  }
}

test('a guard that was waived stays waived through a crash, for that token alone', async (t) => {
  const token = { ...sealed, 'tpm2-pin': true };
  const newcomer = { ...token, 'tpm2-blob': 'BBBB' };
  const specs: readonly KeySpec[] = [base, tpmKey(1)];
  let resumed = 0;
  let spared = 0;
  for (let cutAfter = 1; ; cutAfter += 1) {
    const machine = fakeMachine();
    const header = await cut(machine, token, cutAfter);
    if (header === undefined) break;
    const isBegun = header.tokens.some(({ json }) => json.type === 'nodecore-rotation');
    const isOld = header.keys.get(1)?.equals(byHand) === true;
    // Somebody enrols again, and gets the numbers that are free.
    const another = header.restarted();
    if (!another.keys.has(1) && !another.stored.has(1)) {
      another.keys.set(1, byHand);
      another.stored.set(1, newcomer);
      await boot(another, specs, machine.context);
      assertUntouched(t, another, newcomer);
      spared += 1;
    }
    if (isOld && !header.keys.has(31)) continue; // nothing of it had happened but notes
    const { failed } = await boot(header, specs, machine.context);
    t.deepEqual(failed, [], `after ${cutAfter} writes, ${isBegun ? 'begun' : 'not begun'}`);
    await assertSettled(t, header, specs, machine.context);
    resumed += 1;
  }
  t.true(resumed > 3);
  t.true(spared > 0);
});

test('a TPM that wants a PIN, or does not know the token, blocks a rotation of all slots', async (t) => {
  for (const code of ['ERR_TPM_PIN_REQUIRED', 'ERR_TPM_SIGNATURE_MISSING', 'ERR_TPM_FAILED'] as const) {
    const { context, tpm } = fakeMachine();
    const specs = [base, tpmKey(1)];
    const header = await provisioned(specs, context);
    const before = header.restarted();
    const { writes } = header;
    using opener = await unlock(header, [base], context);
    tpm.refusesUnseal = code;
    const { failed } = await rotate(header, specs, context, opener);
    t.like(failed, [{ slot: 1, code }]);
    t.deepEqual(header.keys, before.keys);
    t.is(header.writes, writes, 'no new key was even begun');
  }
});

test('a synchronisation alone waives nothing', async (t) => {
  const machine = fakeMachine();
  const token = { ...sealed, 'tpm2-pin': true };
  const header = await enrolled(machine, token);
  using opener = await unlock(header, [base], machine.context);
  await synchronise(header, [base, tpmKey(1)], machine.context, opener);
  assertUntouched(t, header, token);
});
