import type { KeySpec } from '../src/index.ts';
import test from 'ava';

import { planRotation, rotate, unlock } from '../src/index.ts';
import { PowerCut } from './fake-header.ts';
import { fakeMachine } from './fake-machine.ts';
import { kmsKey, nodeKey, staticKey, tpmKey } from './specs.ts';
import { assertSettled, boot, provisioned, waysIn } from './world.ts';

const base = staticKey(0, 'correct horse');

test('a key that only needs a free keyslot is there before another is replaced', async (t) => {
  const before = [tpmKey(0)];
  const after = [kmsKey(0), tpmKey(1)];
  const { context } = fakeMachine();
  const begun = await provisioned(before, context);
  const whole = begun.restarted();
  await boot(whole, after, context, { previous: before });
  await assertSettled(t, whole, after, context);
  for (let cutAfter = 1; cutAfter <= whole.writes; cutAfter += 1) {
    const header = begun.restarted();
    header.cutAfter = cutAfter;
    await t.throwsAsync(boot(header, after, context, { previous: before }), { instanceOf: PowerCut });
    const later = header.restarted();
    const byTpm = await waysIn(later, [tpmKey(0), tpmKey(1)], context);
    t.true(byTpm.size > 0, `after ${cutAfter} writes the key server alone opens it`);
  }
});

test('every keyslot is looked at before the first write', async (t) => {
  const { context } = fakeMachine();
  const specs = [tpmKey(0), kmsKey(1), nodeKey(2)];
  const header = await provisioned(specs, context);
  using opener = await unlock(header, specs, context);
  const steps: string[] = [];
  await rotate(header, specs, context, opener, { onProgress: ({ step }) => steps.push(step) });
  const looks = steps.lastIndexOf('examine');
  t.deepEqual(steps.slice(0, looks + 1), ['examine', 'examine', 'examine']);
});

const changes: Readonly<Record<string, readonly [before: readonly KeySpec[], after: readonly KeySpec[]]>> = {
  'nothing at all': [[base], [base]],
  'the TPM makes room for two': [[tpmKey(0)], [kmsKey(0), tpmKey(1)]],
  'all three are new': [[base], [tpmKey(0), kmsKey(1), nodeKey(2)]],
  'all sealed keys are made anew': [
    [tpmKey(0), kmsKey(1), base].map((spec, slot) => ({ ...spec, slot })),
    [tpmKey(0), kmsKey(1), base].map((spec, slot) => ({ ...spec, slot })),
  ],
  'two go and one comes': [[base, tpmKey(1), kmsKey(2)], [staticKey(3, 'new')]],
};

for (const [name, [before, after]] of Object.entries(changes)) {
  test(`a plan knows the fewest ways in at every write: ${name}`, async (t) => {
    const { context } = fakeMachine();
    const begun = await provisioned(before, context);
    using opener = await unlock(begun, after, context, { previous: before });
    const { ways } = await planRotation(begun, after, context, opener);
    const whole = begun.restarted();
    const counts: number[] = [ways.before];
    await rotate(whole, after, context, opener);
    for (let cutAfter = 1; cutAfter <= whole.writes; cutAfter += 1) {
      const header = begun.restarted();
      header.cutAfter = cutAfter;
      await t.throwsAsync(rotate(header, after, context, opener), { instanceOf: PowerCut });
      const later = header.restarted();
      const open = await waysIn(later, [...after, ...before], context);
      const keys = new Set([...open].map((slot) => later.keys.get(slot)?.toString('hex')));
      counts.push(keys.size);
    }
    t.log(counts.join(' '), ways);
    t.true(Math.min(...counts) >= ways.lowest);
    t.is(counts.at(-1), ways.after);
    t.true(ways.lowest >= Math.min(ways.before, ways.after));
  });
}

test('a plan says what each key gains and loses', async (t) => {
  const publicKey = Buffer.from('PEM');
  const { context } = fakeMachine();
  const signing = { ...context, tpmSignatures: async () => ({ publicKey }) };
  const before = [base, tpmKey(1, [0, 7]), kmsKey(2), tpmKey(3)];
  const header = await provisioned(before, signing);
  const after = [base, tpmKey(1, [7, 4]), tpmKey(2), kmsKey(4), { ...tpmKey(3), lockToState: true }];
  using opener = await unlock(header, before, context);
  const { keys, ways } = await planRotation(header, after, context, opener);
  const of = (slot: number): unknown => {
    const { gains, loses } = keys.find((one) => one.slot === slot) ?? {};
    return { gains, loses };
  };
  t.deepEqual(of(0), { gains: [], loses: [] });
  t.deepEqual(of(1), {
    gains: ['PCR 4 as it is'],
    loses: ['PCR 0 as it is', 'a signed value of PCR 11'],
  });
  t.deepEqual(of(2), {
    gains: ['the TPM', 'PCR 7 as it is'],
    loses: ['the key server grpc://kms:4050'],
  });
  t.like(
    keys.find(({ slot }) => slot === 3),
    { action: 'blocked' },
    'STATE is not there',
  );
  t.deepEqual(of(4), { gains: ['the key server grpc://kms:4050'], loses: [] });
  t.is(header.writes, (await provisioned(before, signing)).writes, 'nothing is written');
  t.is(ways.lowest, 2, 'what is not configured any more is not proven');
});

test('a plan asks nobody to seal, and says what keeps a key from being made', async (t) => {
  const { context, tpm, kms } = fakeMachine({
    secureBoot: async () => ({ state: 'disabled', setupMode: false }),
  });
  const strict = { ...tpmKey(1), checkSecurebootStatusOnEnroll: true };
  const header = await provisioned([base], context);
  tpm.refuses = 'ERR_TPM_FAILED';
  kms.refuses = 'ERR_KMS_FAILED';
  using opener = await unlock(header, [base], context);
  const { keys } = await planRotation(header, [base, strict, kmsKey(2)], context, opener);
  t.like(keys, [{ action: 'keep' }, { slot: 1, action: 'blocked' }, { slot: 2, action: 'add' }]);
  t.regex(keys[1]?.reason ?? '', /Secure Boot/);
});

test('a plan knows that a change without a spare keyslot takes one way in away', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, tpmKey(1)], context);
  for (let slot = 2; slot < 32; slot += 1) header.keys.set(slot, Buffer.from(`by hand ${slot}`));
  using opener = await unlock(header, [base], context);
  const { ways } = await planRotation(header, [base, tpmKey(1)], context, opener);
  t.deepEqual(ways, { before: 2, lowest: 1, after: 2 });
});
