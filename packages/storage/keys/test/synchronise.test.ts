import { create, rotate, synchronise, unlock } from '../src/index.ts';
import { writeJournal } from '../src/token/journal.ts';
import { Secret } from '@nodecore/sys';
import test from 'ava';

import { FakeHeader, PowerCut } from './fake-header.ts';
import { fakeMachine } from './fake-machine.ts';
import { kmsKey, nodeKey, staticKey, tpmKey } from './specs.ts';
import { assertSettled, boot, provisioned, waysIn } from './world.ts';

const base = staticKey(0, 'correct horse');

test('a volume without a record has one after its first synchronisation', async (t) => {
  const { context } = fakeMachine();
  const header = new FakeHeader(new Map([[0, Buffer.from('correct horse')]]));
  const report = await boot(header, [base], context);
  t.deepEqual(report.synced, [{ slot: 0, kind: 'static', change: 'none' }]);
  t.is(header.writes, 1);
  await assertSettled(t, header, [base], context);
});

test('keyslots that nobody configured stay, and are named', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  header.keys.set(1, Buffer.from('by hand'));
  header.keys.set(7, Buffer.from('recovery'));
  header.stored.set(12, { type: 'systemd-recovery', keyslots: ['7'] });
  const report = await boot(header, [base], context);
  t.deepEqual(report.unmanaged, [1, 7]);
  t.is(header.writes, 1, 'what the provisioning wrote');
});

test('a keyslot that somebody else filled is not replaced by a key that is configured for it', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  header.keys.set(1, Buffer.from('by hand'));
  const { failed } = await boot(header, [base, staticKey(1, 'new')], context);
  t.like(failed, [{ slot: 1, code: 'ERR_KEYS_SLOT_FOREIGN', permanence: 'needs-operator' }]);
  t.deepEqual(header.keys.get(1), Buffer.from('by hand'));
});

test('a recovery key in a configured keyslot is not replaced, record or not', async (t) => {
  const { context } = fakeMachine();
  const header = new FakeHeader(
    new Map([
      [0, Buffer.from('correct horse')],
      [1, Buffer.from('recovery')],
    ]),
    new Map([[3, { type: 'systemd-recovery', keyslots: ['1'] }]]),
  );
  const { failed, unmanaged } = await boot(header, [base, staticKey(1, 'new')], context);
  t.like(failed, [{ slot: 1, code: 'ERR_KEYS_SLOT_FOREIGN' }]);
  t.deepEqual(header.keys.get(1), Buffer.from('recovery'));
  t.deepEqual(unmanaged, []);
  t.deepEqual((await boot(header, [base], context)).unmanaged, [1]);
  t.deepEqual(header.keys.get(1), Buffer.from('recovery'));
});

test('two keys for one slot are both refused, and the slot stays as it is', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, staticKey(1, 'old')], context);
  const { failed, synced } = await boot(header, [base, staticKey(1, 'new'), tpmKey(1)], context);
  t.like(failed, [
    { slot: 1, kind: 'static', code: 'ERR_KEYS_SLOT_CLASH', permanence: 'fatal' },
    { slot: 1, kind: 'tpm', code: 'ERR_KEYS_SLOT_CLASH' },
  ]);
  t.deepEqual(
    synced.map(({ slot }) => slot),
    [0],
  );
  t.deepEqual(header.keys.get(1), Buffer.from('old'));
});

test('a slot that LUKS2 does not have is refused', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  const { failed } = await boot(header, [base, staticKey(32, 'new')], context);
  t.like(failed, [{ slot: 32, code: 'ERR_KEYS_SLOT_RANGE', permanence: 'fatal' }]);
});

for (const code of ['ERR_TPM_LOCKOUT', 'ERR_TPM_UNREACHABLE', 'ERR_TPM_FAILED'] as const) {
  test(`a TPM that answers ${code} is reported, and its keyslot stays`, async (t) => {
    const { context, tpm } = fakeMachine();
    const header = await provisioned([base, tpmKey(1)], context);
    const before = header.restarted();
    tpm.refuses = code;
    const { failed } = await boot(header, [base, tpmKey(1)], context);
    t.like(failed, [{ slot: 1, kind: 'tpm', code }]);
    t.deepEqual(header.keys, before.keys);
    t.deepEqual(header.stored, before.stored);
    tpm.refuses = undefined;
    t.deepEqual((await boot(header, [base, tpmKey(1)], context)).failed, []);
  });
}

test('a key server that is down or refuses is reported, and its keyslot stays', async (t) => {
  const { context, kms } = fakeMachine();
  const header = await provisioned([base, kmsKey(1)], context);
  const { writes } = header;
  kms.refuses = 'ERR_KMS_UNREACHABLE';
  const down = await boot(header, [base, kmsKey(1)], context);
  t.like(down.failed, [{ slot: 1, code: 'ERR_KMS_UNREACHABLE', permanence: 'transient' }]);
  kms.refuses = 'ERR_KMS_REFUSED';
  const refused = await boot(header, [base, kmsKey(1)], context);
  t.like(refused.failed, [{ slot: 1, code: 'ERR_KMS_REFUSED', permanence: 'needs-operator' }]);
  t.is(header.writes, writes);
});

// The calls of a rotation: look at the old key, prove the new one with the server, in the spare slot, in its slot.
for (const [liesFrom, when] of [
  [1, 'from the first answer on'],
  [2, 'once the new key is made'],
  [3, 'once the new key is in the spare keyslot'],
] as const) {
  test(`a key server that lies ${when} costs nobody a keyslot`, async (t) => {
    const { context, kms } = fakeMachine();
    const header = await provisioned([base, kmsKey(1)], context);
    const old = header.keys.get(1);
    kms.unseals = 0;
    kms.liesFrom = liesFrom;
    using opener = await unlock(header, [base], context);
    const { failed, unfinished } = await rotate(header, [base, kmsKey(1)], context, opener);
    t.like(failed, [{ slot: 1, code: 'ERR_KEYS_UNPROVEN' }]);
    t.deepEqual(unfinished, []);
    t.deepEqual(header.keys.get(1), old);
    kms.liesFrom = Infinity;
    await assertSettled(t, header, [base, kmsKey(1)], context);
  });
}

test('a key that is not proven in a keyslot that was free does not stay there', async (t) => {
  const { context, kms } = fakeMachine();
  const header = await provisioned([base], context);
  kms.liesFrom = 2;
  const { failed } = await boot(header, [base, kmsKey(1)], context);
  t.like(failed, [{ slot: 1, code: 'ERR_KEYS_UNPROVEN' }]);
  await assertSettled(t, header, [base], context);
});

test('a key server that has lost its keys is reported, and given new ones when somebody asks for it', async (t) => {
  const { context, kms } = fakeMachine();
  const header = await provisioned([base, kmsKey(1)], context);
  const { writes } = header;
  kms.forget();
  t.like((await boot(header, [base, kmsKey(1)], context)).failed, [{ slot: 1, code: 'ERR_KMS_REFUSED' }]);
  t.is(header.writes, writes);
  using opener = await unlock(header, [base], context);
  const { synced } = await rotate(header, [base, kmsKey(1)], context, opener, { slots: [1] });
  t.like(synced[1], { slot: 1, change: 'replaced' });
  await assertSettled(t, header, [base, kmsKey(1)], context);
});

test('a header that has no room for one spare keyslot is not asked for the next', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, staticKey(1, 'a'), staticKey(2, 'b')], context);
  header.room = 3;
  const added: (number | undefined)[] = [];
  header.beforeWrite = (write, slot) => {
    if (write === 'add') added.push(slot);
  };
  await boot(header, [base, staticKey(1, 'c'), staticKey(2, 'd')], context);
  t.deepEqual(added, [31, 1, 2]);
});

test('a boot image with another signing key has the TPM key sealed for it', async (t) => {
  const first = Buffer.from('first PEM');
  const second = Buffer.from('second PEM');
  const { context } = fakeMachine();
  const specs = [base, tpmKey(1)];
  const header = await provisioned(specs, { ...context, tpmSignatures: async () => ({ publicKey: first }) });
  const later = { ...context, tpmSignatures: async () => ({ publicKey: second }) };
  t.like((await boot(header, specs, later)).synced[1], { change: 'replaced' });
  const token = header.tokens.find(({ json }) => json.type === 'systemd-tpm2');
  t.is(token?.json['tpm2_pubkey'], second.toString('base64'));
  const { writes } = header;
  t.like((await boot(header, specs, context)).synced[1], { change: 'none' }, 'nothing better to seal under');
  t.is(header.writes, writes);
});

test('an interrupted change follows a configuration that has changed since', async (t) => {
  const { context } = fakeMachine();
  const begun = await provisioned([base, tpmKey(1, [7])], context);
  const cut = begun.restarted();
  cut.cutAfter = 5;
  await t.throwsAsync(boot(cut, [base, tpmKey(1, [4])], context), { instanceOf: PowerCut });
  const header = cut.restarted();
  const specs = [base, tpmKey(1, [0, 7])];
  t.deepEqual((await boot(header, specs, context)).failed, []);
  await assertSettled(t, header, specs, context);
  const token = header.tokens.find(({ json }) => json.type === 'systemd-tpm2');
  t.deepEqual(token?.json['tpm2-pcrs'], [0, 7]);
});

test('a key server that lies when the old key has gone leaves the spare keyslot, and is forgiven later', async (t) => {
  const { context, kms } = fakeMachine();
  const header = await provisioned([base, kmsKey(1)], context);
  kms.unseals = 0;
  kms.liesFrom = 4;
  using opener = await unlock(header, [base], context);
  const { failed } = await rotate(header, [base, kmsKey(1)], context, opener);
  t.like(failed, [{ slot: 1, code: 'ERR_KEYS_UNPROVEN' }]);
  kms.liesFrom = Infinity;
  t.true((await waysIn(header, [base, kmsKey(1)], context)).has(31));
  using later = await unlock(header, [kmsKey(1)], context);
  const report = await synchronise(header, [base, kmsKey(1)], context, later);
  t.like(report.resumed, [{ slot: 1, outcome: 'finished' }]);
  await assertSettled(t, header, [base, kmsKey(1)], context);
});

for (const write of ['add', 'destroy', 'setToken', 'removeToken'] as const) {
  test(`${write} that fails leaves as many ways in, and the next run makes it good`, async (t) => {
    const { context } = fakeMachine();
    const before = [base, tpmKey(1)];
    const after = [base, kmsKey(1)];
    const begun = await provisioned(before, context);
    for (let nth = 1; nth < 8; nth += 1) {
      const header = begun.restarted();
      let seen = 0;
      header.beforeWrite = (kind) => {
        if (kind !== write) return;
        seen += 1;
        if (seen === nth) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      };
      const report = await boot(header, after, context);
      if (seen >= nth) t.true(report.failed.length + report.unfinished.length > 0, `the ${nth}th failed`);
      const ways = await waysIn(header, [...after, ...before], context);
      t.true(ways.size >= 2, `the ${nth}th failed: ${[...ways].join()}`);
      header.beforeWrite = () => {};
      t.deepEqual((await boot(header, after, context)).failed, []);
      await assertSettled(t, header, after, context);
    }
  });
}

test('writes that all fail end the run, with each key that could not be stored', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, tpmKey(1)], context);
  header.beforeWrite = () => {
    throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
  };
  const { failed } = await boot(header, [base, kmsKey(1), staticKey(2, 'x')], context);
  t.like(failed, [
    { slot: 1, code: 'EROFS' },
    { slot: 2, code: 'EROFS' },
  ]);
});

test('a journal that can be neither followed nor removed does not keep the run from ending', async (t) => {
  const { context } = fakeMachine();
  const specs = [base, tpmKey(1), tpmKey(2)];
  const header = await provisioned(specs, context);
  header.stored.set(20, writeJournal({ slot: 2, spare: 9, token: 1, old: [] }));
  header.beforeWrite = () => {
    throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
  };
  const { failed, synced } = await boot(header, specs, context);
  t.like(failed, [{ slot: 2, code: 'EROFS' }]);
  t.like(synced, [{ slot: 0 }, { slot: 1 }]);
});

test('with every keyslot taken and no other proven key, nothing is changed', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  for (let slot = 1; slot < 32; slot += 1) header.keys.set(slot, Buffer.from(`by hand ${slot}`));
  const { writes } = header;
  const report = await boot(header, [staticKey(0, 'new')], context, { previous: [base] });
  t.like(report.failed, [{ slot: 0, code: 'ERR_KEYS_NO_SPARE' }]);
  t.is(header.writes, writes);
});

test('with no room for a spare keyslot and no other proven key, what was begun is undone', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  header.room = 1;
  const report = await boot(header, [tpmKey(0)], context, { previous: [base] });
  t.like(report.failed, [{ slot: 0, code: 'ERR_KEYS_NO_SPARE' }]);
  await assertSettled(t, header, [base], context);
});

test('a change in place says so', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, staticKey(1, 'old')], context);
  header.room = 2;
  const { synced } = await boot(header, [base, staticKey(1, 'new')], context);
  t.regex(synced[1]?.reason ?? '', /in place/);
});

test('the key that opened the volume can be the one that is replaced', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([tpmKey(0)], context);
  const old = header.keys.get(0);
  using opener = await unlock(header, [tpmKey(0)], context);
  const { synced } = await rotate(header, [tpmKey(0)], context, opener);
  t.like(synced, [{ slot: 0, change: 'replaced', reason: 'a new key was asked for' }]);
  t.notDeepEqual(header.keys.get(0), old);
  await assertSettled(t, header, [tpmKey(0)], context);
});

test('only the slots that were named are rotated', async (t) => {
  const { context } = fakeMachine();
  const specs = [base, tpmKey(1), kmsKey(2)];
  const header = await provisioned(specs, context);
  const before = header.restarted();
  using opener = await unlock(header, specs, context);
  const { synced } = await rotate(header, specs, context, opener, { slots: [2] });
  t.deepEqual(
    synced.map(({ change }) => change),
    ['none', 'none', 'replaced'],
  );
  t.deepEqual(header.keys.get(1), before.keys.get(1));
});

test('a slot that was ours stays while no configured key is proven', async (t) => {
  const { context, kms } = fakeMachine();
  const header = await provisioned([base, kmsKey(1)], context);
  kms.refuses = 'ERR_KMS_UNREACHABLE';
  const report = await boot(header, [kmsKey(1)], context, { previous: [base] });
  t.deepEqual(report.removed, []);
  t.deepEqual(report.unfinished, []);
  t.deepEqual(header.slots, [0, 1]);
  kms.refuses = undefined;
  t.deepEqual((await boot(header, [kmsKey(1)], context, { previous: [base] })).removed, [0]);
});

test('a changed policy that can not be sealed leaves the key that opens', async (t) => {
  const { context } = fakeMachine({ secureBoot: async () => ({ state: 'disabled', setupMode: false }) });
  const header = await provisioned([base, tpmKey(1, [7])], context);
  const strict = { ...tpmKey(1, [0, 7]), checkSecurebootStatusOnEnroll: true };
  const { failed } = await boot(header, [base, strict], context);
  t.like(failed, [{ slot: 1, code: 'ERR_KEYS_SECURE_BOOT', permanence: 'needs-operator' }]);
  t.true((await waysIn(header, [strict], context)).has(1));
});

test('a change whose server is down waits, and the other keys are looked after', async (t) => {
  const { context, kms } = fakeMachine();
  const after = [base, kmsKey(1), nodeKey(2)];
  const begun = await provisioned([base, tpmKey(1)], context);
  const cut = begun.restarted();
  cut.cutAfter = 9; // the added key has taken four
  await t.throwsAsync(boot(cut, after, context), { instanceOf: PowerCut });
  const header = cut.restarted();
  kms.refuses = 'ERR_KMS_TIMEOUT';
  const report = await boot(header, after, context);
  t.like(report.failed, [{ slot: 1, code: 'ERR_KMS_TIMEOUT' }]);
  t.like(report.resumed, [{ slot: 1, outcome: 'postponed' }]);
  t.like(report.synced, [{ slot: 0 }, { slot: 2, change: 'added' }]);
  kms.refuses = undefined;
  t.like((await boot(header, after, context)).resumed, [{ slot: 1, outcome: 'finished' }]);
  await assertSettled(t, header, after, context);
});

test('a change whose new key is lost is undone, and made again', async (t) => {
  const { context, tpm } = fakeMachine();
  const specs = [base, tpmKey(1)];
  const begun = await provisioned([base, staticKey(1, 'old')], context);
  for (let cutAfter = 1; cutAfter < 10; cutAfter += 1) {
    const cut = begun.restarted();
    cut.cutAfter = cutAfter;
    await t.throwsAsync(boot(cut, specs, context), { instanceOf: PowerCut });
    tpm.changeRegisters();
    const header = cut.restarted();
    t.deepEqual((await boot(header, specs, context)).failed, [], `after ${cutAfter} writes`);
    await assertSettled(t, header, specs, context);
  }
});

test('a change whose slot is configured no more is undone', async (t) => {
  const { context } = fakeMachine();
  const begun = await provisioned([base, staticKey(1, 'old')], context);
  for (let cutAfter = 1; cutAfter < 10; cutAfter += 1) {
    const cut = begun.restarted();
    cut.cutAfter = cutAfter;
    await t.throwsAsync(boot(cut, [base, tpmKey(1)], context), { instanceOf: PowerCut });
    const header = cut.restarted();
    await boot(header, [base], context);
    await assertSettled(t, header, [base], context);
  }
});

const hostile: Readonly<Record<string, Record<string, unknown>>> = {
  'without a version': { slot: 1, spare: 5, old: [] },
  'with texts in place of numbers': { version: 1, slot: '1', spare: '5', old: [] },
  'with numbers beyond the header': { version: 1, slot: 1, spare: 99, old: [] },
  'that is nothing but its type': {},
  'with a prototype in it': { version: 1, __proto__: { slot: 1, spare: 5, old: [] } },
  'that names a keyslot by hand as spare': { version: 1, slot: 1, spare: 5, old: [] },
  'that names a recovery key as spare': { version: 1, slot: 1, spare: 6, old: [3] },
  'that names a configured keyslot as spare': { version: 1, slot: 1, spare: 2, old: [] },
  'that names the token of another keyslot': { version: 1, slot: 1, spare: 9, token: 2, old: [2, 3] },
  'that names the token of another keyslot of its kind': { version: 1, slot: 4, spare: 9, token: 2, old: [] },
  'for a keyslot by hand': { version: 1, slot: 5, spare: 1, old: [1, 2, 3] },
  'for the recovery key': { version: 1, slot: 6, old: [3] },
};

for (const [name, fields] of Object.entries(hostile)) {
  test(`a journal ${name} harms nobody, and goes`, async (t) => {
    const { context } = fakeMachine();
    const specs = [base, staticKey(1, 'second'), tpmKey(2), tpmKey(4)];
    const header = await provisioned(specs, context);
    header.keys.set(5, Buffer.from('by hand'));
    header.keys.set(6, Buffer.from('recovery'));
    header.stored.set(3, { type: 'systemd-recovery', keyslots: ['6'] });
    header.stored.set(20, { type: 'nodecore-rotation', keyslots: [], ...fields });
    const before = header.restarted();
    const { failed } = await boot(header, specs, context);
    t.deepEqual(failed, []);
    t.deepEqual(header.keys, before.keys);
    t.false(header.stored.has(20));
    t.deepEqual(header.stored.get(3), before.stored.get(3));
    await boot(header, specs, context);
    t.deepEqual(header.keys, before.keys);
  });
}

test('a second journal for the same slot is one too many', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  header.stored.set(20, writeJournal({ slot: 0, spare: 9, old: [] }));
  header.stored.set(21, writeJournal({ slot: 0, spare: 8, old: [] }));
  t.deepEqual((await boot(header, [base], context)).failed, []);
  await assertSettled(t, header, [base], context);
});

test('a damaged record counts as none, and is replaced', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, staticKey(1, 'old')], context);
  const id = header.tokens.find(({ json }) => json.type === 'nodecore-keys')?.id ?? -1;
  header.stored.set(id, { type: 'nodecore-keys', keyslots: [], version: 1, slots: ['0'] });
  t.deepEqual((await boot(header, [base, staticKey(1, 'new')], context)).failed, []);
  await assertSettled(t, header, [base, staticKey(1, 'new')], context);
});

test('a header without a free token is left as it is', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  for (let id = 0; id < 32; id += 1) {
    if (!header.stored.has(id)) header.stored.set(id, { type: 'other', keyslots: [] });
  }
  const { failed } = await boot(header, [base, tpmKey(1)], context);
  t.is(failed.length, 1);
  t.deepEqual(header.slots, [0]);
});

test('a keyslot that was opened and is not there is an error of its own', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  using key = Secret.random(8);
  await t.throwsAsync(synchronise(header, [base], context, { slot: 4, key }), { code: 'ERR_KEYS_NO_OPENER' });
});

test('an aborted synchronisation ends with the reason, and is gone on with later', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  const controller = new AbortController();
  const reason = new Error('enough');
  using opener = await unlock(header, [base], context);
  await t.throwsAsync(
    synchronise(header, [base, tpmKey(1)], context, opener, {
      signal: controller.signal,
      onProgress: ({ step }) => {
        if (step === 'journal') controller.abort(reason);
      },
    }),
    { is: reason },
  );
  t.like((await boot(header, [base, tpmKey(1)], context)).resumed, [{ slot: 1 }]);
  await assertSettled(t, header, [base, tpmKey(1)], context);
});

test('progress is told step by step, in words', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, tpmKey(1)], context);
  const steps: string[] = [];
  using opener = await unlock(header, [base], context);
  await rotate(header, [base, tpmKey(1)], context, opener, {
    onProgress: ({ slot, step, description }) => {
      if (slot !== 1) return;
      steps.push(step);
      t.true(description.length > 0);
    },
  });
  t.deepEqual(steps, [
    'examine',
    'create',
    'record',
    'journal',
    'token',
    'add',
    'prove',
    'token',
    'destroy',
    'remove-token',
    'add',
    'prove',
    'token',
    'destroy',
    'end',
  ]);
});

test('a volume without trouble is looked at once for each key, and not written to', async (t) => {
  const { context } = fakeMachine();
  const specs = [base, tpmKey(1), kmsKey(2), nodeKey(3)];
  const header = (await provisioned(specs, context)).restarted();
  using opener = await unlock(header, specs, context);
  t.is(header.tests, 1);
  await synchronise(header, specs, context, opener);
  t.is(header.tests, 4);
  t.is(header.writes, 0);
});

test('keys of a first synchronisation are created only for what is not there', async (t) => {
  const { context } = fakeMachine();
  using made = await create(tpmKey(0), context);
  const header = new FakeHeader(
    new Map([[0, Buffer.from(made.key.bytes)]]),
    new Map([[0, { ...made.token!, keyslots: ['0'] }]]),
  );
  const report = await synchronise(header, [tpmKey(0), base].slice(0, 1), context, {
    slot: 0,
    key: made.key,
    spec: tpmKey(0),
  });
  t.like(report.synced, [{ slot: 0, change: 'none' }]);
  t.deepEqual(header.keys.get(0), Buffer.from(made.key.bytes));
});
