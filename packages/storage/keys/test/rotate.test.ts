import { planRotation, rotate, unlock } from '../src/index.ts';
import test from 'ava';

import { PowerCut } from './fake-header.ts';
import { fakeMachine } from './fake-machine.ts';
import { kmsKey, staticKey, tpmKey } from './specs.ts';
import { boot, provisioned } from './world.ts';

const base = staticKey(0, 'correct horse');

test('a plan says what would be done to each key, and why, and writes nothing', async (t) => {
  const { context, kms } = fakeMachine();
  const before = [base, tpmKey(1), kmsKey(2), staticKey(3, 'old'), kmsKey(5), staticKey(6, 'gone')];
  const header = (await provisioned(before, context)).restarted();
  header.keys.set(7, Buffer.from('by hand'));
  const after = [
    base,
    tpmKey(1),
    kmsKey(2),
    staticKey(3, 'new'),
    staticKey(4, 'added'),
    kmsKey(5),
    tpmKey(7),
    staticKey(8, 'a'),
    staticKey(8, 'b'),
  ];
  using opener = await unlock(header, after, context);
  kms.refuses = 'ERR_KMS_UNREACHABLE';
  const plan = await planRotation(header, after, context, opener, { slots: [1] });
  t.like(plan.keys, [
    { slot: 0, kind: 'static', action: 'keep' },
    { slot: 1, kind: 'tpm', action: 'replace', spare: 31, reason: 'a new key was asked for' },
    { slot: 2, kind: 'kms', action: 'blocked' },
    { slot: 3, kind: 'static', action: 'replace', spare: 31 },
    { slot: 4, kind: 'static', action: 'add' },
    { slot: 5, kind: 'kms', action: 'blocked' },
    { slot: 7, kind: 'tpm', action: 'blocked' },
    { slot: 8, action: 'blocked' },
    { slot: 8, action: 'blocked' },
  ]);
  t.deepEqual(plan.removed, [6]);
  t.deepEqual(plan.unmanaged, []);
  t.is(header.writes, 0);
});

test('a plan names keyslots that are left alone', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  header.keys.set(7, Buffer.from('by hand'));
  using opener = await unlock(header, [base], context);
  t.deepEqual((await planRotation(header, [base], context, opener)).unmanaged, [7]);
});

test('a plan tells of a change that was interrupted', async (t) => {
  const { context } = fakeMachine();
  const begun = await provisioned([base, tpmKey(1)], context);
  const cut = begun.restarted();
  cut.cutAfter = 4;
  await t.throwsAsync(boot(cut, [base, kmsKey(1)], context), { instanceOf: PowerCut });
  const header = cut.restarted();
  using opener = await unlock(header, [base], context);
  const plan = await planRotation(header, [base, kmsKey(1)], context, opener);
  t.like(plan.keys[1], { slot: 1, action: 'replace' });
  t.regex(plan.keys[1]?.reason ?? '', /interrupted/);
});

test('what was planned is what is done', async (t) => {
  const { context } = fakeMachine();
  const before = [base, tpmKey(1), staticKey(2, 'old'), staticKey(9, 'gone')];
  const after = [base, tpmKey(1), staticKey(2, 'new'), kmsKey(3)];
  const header = await provisioned(before, context);
  using opener = await unlock(header, after, context);
  const plan = await planRotation(header, after, context, opener);
  const report = await rotate(header, after, context, opener);
  const changes = { keep: 'none', add: 'added', replace: 'replaced', blocked: 'failed' };
  t.deepEqual(
    report.synced.map(({ slot, change }) => [slot, change]),
    plan.keys.map(({ slot, action }) => [slot, changes[action]]),
  );
  t.deepEqual(report.removed, plan.removed);
});

test('all sealed keys are made anew, and no others', async (t) => {
  const { context } = fakeMachine();
  const specs = [base, tpmKey(1), kmsKey(2)];
  const header = await provisioned(specs, context);
  using opener = await unlock(header, specs, context);
  const { synced } = await rotate(header, specs, context, opener);
  t.deepEqual(
    synced.map(({ change }) => change),
    ['none', 'replaced', 'replaced'],
  );
});
