import type { KeySpec } from '../src/index.ts';
import test from 'ava';

import { type FakeHeader, PowerCut } from './fake-header.ts';
import { type FakeMachine, fakeMachine } from './fake-machine.ts';
import { kmsKey, locked, nodeKey, staticKey, tpmKey } from './specs.ts';
import { assertSettled, boot, provisioned, waysIn } from './world.ts';
import { Secret } from '@nodecore/sys';

type Scenario = {
  readonly before: readonly KeySpec[];
  readonly after: readonly KeySpec[];
  /** What happens to the machine or the header in between. */
  readonly meanwhile?: (machine: FakeMachine, header: FakeHeader) => void;
  /** Keyslots that are somebody else's. */
  readonly foreign?: readonly number[];
  /** There is no room for a spare keyslot: one way in less for a moment, while another stays. */
  readonly inPlace?: boolean;
};

const base = staticKey(0, 'correct horse');
const salted = { salt: Secret.random(32) };

const scenarios: Readonly<Record<string, Scenario>> = {
  'nothing to do': { before: [base, tpmKey(1)], after: [base, tpmKey(1)] },
  'a static key is added': { before: [base], after: [base, staticKey(3, 'battery staple')] },
  'a TPM key is added': { before: [base], after: [base, tpmKey(1)] },
  'a key server is added': { before: [base], after: [base, kmsKey(1)] },
  'two keys are added': { before: [base], after: [base, kmsKey(1), tpmKey(2)] },
  'a passphrase is changed': {
    before: [base, staticKey(1, 'battery staple')],
    after: [base, staticKey(1, 'new staple')],
  },
  'the only passphrase is changed': { before: [base], after: [staticKey(0, 'new horse')] },
  'both passphrases are changed': {
    before: [base, staticKey(1, 'battery staple')],
    after: [staticKey(0, 'new horse'), staticKey(1, 'new staple')],
  },
  'a passphrase gives way to the TPM': { before: [base, nodeKey(1)], after: [tpmKey(0), nodeKey(1)] },
  'the only passphrase gives way to the TPM': { before: [base], after: [tpmKey(0)] },
  'the TPM gives way to a key server': { before: [base, tpmKey(1)], after: [base, kmsKey(1)] },
  'the only TPM key gives way to a key server': { before: [tpmKey(0)], after: [kmsKey(0)] },
  'a key server gives way to a passphrase': { before: [base, kmsKey(1)], after: [base, staticKey(1, 'x')] },
  'the key server moves': {
    before: [base, kmsKey(1, 'grpc://old:1')],
    after: [base, kmsKey(1, 'grpc://new:2')],
  },
  'other registers are configured': { before: [base, tpmKey(1, [7])], after: [base, tpmKey(1, [0, 7])] },
  'the registers changed': {
    before: [base, tpmKey(1)],
    after: [base, tpmKey(1)],
    meanwhile: ({ tpm }) => tpm.changeRegisters(),
  },
  'the TPM was replaced': {
    before: [tpmKey(0), nodeKey(1), tpmKey(2, [])],
    after: [tpmKey(0), nodeKey(1), tpmKey(2, [])],
    meanwhile: ({ tpm }) => tpm.replace(),
  },
  'a key is locked to STATE': { before: [base, tpmKey(1)], after: [base, locked(tpmKey(1))] },
  'a key is configured no more': { before: [base, tpmKey(1), kmsKey(2)], after: [base] },
  'the key that opened is configured no more': { before: [base], after: [nodeKey(4)] },
  'slots change places': {
    before: [staticKey(0, 'a'), staticKey(1, 'b')],
    after: [staticKey(0, 'b'), staticKey(1, 'a')],
  },
  'a recovery key is there': {
    before: [base, tpmKey(1)],
    after: [base, kmsKey(1)],
    meanwhile: (_, header) => {
      header.keys.set(2, Buffer.from('recovery'));
      header.stored.set(9, { type: 'systemd-recovery', keyslots: ['2'] });
    },
    foreign: [2],
  },
  'a token is damaged': {
    before: [base, tpmKey(1)],
    after: [base, tpmKey(1)],
    meanwhile: (_, header) =>
      header.stored.set(1, { type: 'systemd-tpm2', keyslots: ['1'], 'nodecore-key-name': 4 }),
  },
  'the keyslot area is full, and another key stays': {
    before: [base, staticKey(1, 'battery staple')],
    after: [base, staticKey(1, 'new staple')],
    meanwhile: (_, header) => {
      header.room = 2;
    },
    inPlace: true,
  },
  'every keyslot is taken, and another key stays': {
    before: [base, tpmKey(1)],
    after: [base, kmsKey(1)],
    meanwhile: (_, header) => {
      for (let slot = 2; slot < 32; slot += 1) header.keys.set(slot, Buffer.from(`by hand ${slot}`));
    },
    foreign: Array.from({ length: 30 }, (_, index) => index + 2),
    inPlace: true,
  },
};

for (const [name, { before, after, meanwhile, foreign, inPlace }] of Object.entries(scenarios)) {
  test(`${name}: every cut leaves as many ways in, and is made good by the next boot`, async (t) => {
    const machine = fakeMachine(salted);
    const { context } = machine;
    const begun = await provisioned(before, context);
    meanwhile?.(machine, begun);
    const intended = [...after, ...before];
    const waysBefore = (await waysIn(begun, intended, context)).size;
    t.true(waysBefore > 0);

    const whole = begun.restarted();
    const report = await boot(whole, after, context, { previous: before });
    t.deepEqual(report.failed, []);
    t.deepEqual(report.unfinished, []);
    await assertSettled(t, whole, after, context, foreign);

    const least = Math.min(waysBefore - (inPlace === true ? 1 : 0), after.length);
    for (let cutAfter = 1; cutAfter <= whole.writes; cutAfter += 1) {
      const header = begun.restarted();
      header.cutAfter = cutAfter;
      await t.throwsAsync(boot(header, after, context, { previous: before }), { instanceOf: PowerCut });
      const later = header.restarted();
      const ways = (await waysIn(later, intended, context)).size;
      t.true(ways >= least, `after ${cutAfter} writes there are ${ways} ways in, there were ${waysBefore}`);
      const resumed = await boot(later, after, context, { previous: before });
      t.deepEqual(resumed.failed, [], `after ${cutAfter} writes`);
      t.deepEqual(resumed.unfinished, []);
      await assertSettled(t, later, after, context, foreign);
      // Nothing is left to do.
      const again = later.restarted();
      await boot(again, after, context, { previous: before });
      t.is(again.writes, 0, `after ${cutAfter} writes`);
    }

    // A machine that never stays up for longer than three writes gets there, too.
    let header = begun.restarted();
    for (let boots = 0; boots < 40; boots += 1) {
      header = header.restarted();
      header.cutAfter = 3;
      const isCut = await boot(header, after, context, { previous: before }).then(
        () => false,
        () => true,
      );
      t.true((await waysIn(header.restarted(), intended, context)).size >= least);
      if (!isCut) break;
    }
    await assertSettled(t, header.restarted(), after, context, foreign);
  });
}
