import { type KeySpec, rotate, synchronise, unlock } from '../src/index.ts';
import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';

import { cheap, headerOf, imageFile, measure, opensWithProgram, realMachine } from './real-world.ts';
import { kmsKey, locked, nodeKey, staticKey, tpmKey } from './specs.ts';

const withTpm = testWith(program('swtpm'), program('cryptsetup'));
const base = staticKey(0, 'correct horse');

withTpm('a volume goes from a passphrase to the TPM, on to a key server, and back', async (t) => {
  const { context: machine, endpoint, software } = await realMachine(t);
  const context = { ...machine, salt: Secret.random(32) };
  const path = await imageFile(t);
  await luks.format(path, { key: base.passphrase, pbkdf: cheap });
  const header = headerOf(path);
  const transitions: readonly (readonly KeySpec[])[] = [
    [base],
    [base, tpmKey(1), kmsKey(2, endpoint), nodeKey(3)],
    [tpmKey(0), kmsKey(2, endpoint), nodeKey(3)],
    [kmsKey(0, endpoint), locked(tpmKey(2))],
    [tpmKey(0, [7, 4, 7]), locked(kmsKey(2, endpoint)), locked(staticKey(5, 'pass'))],
    [staticKey(0, 'new horse')],
  ];
  await measure(software, 4, 'boot loader');
  let previous: readonly KeySpec[] = [base];
  for (const specs of transitions) {
    using opened = await unlock(header, specs, context, { previous });
    const report = await synchronise(header, specs, context, opened);
    t.deepEqual(report.failed, []);
    t.deepEqual(report.unfinished, []);
    for (const spec of specs) {
      using alone = await unlock(header, [spec], context);
      t.is(alone.slot, spec.slot);
      t.true(await opensWithProgram(path, alone.key.bytes, alone.slot), `${spec.kind} of slot ${spec.slot}`);
    }
    t.deepEqual(
      (await luks.keyslots.list(path)).map(({ slot }) => slot),
      specs.map(({ slot }) => slot),
    );
    const tokens = await luks.tokens.list(path);
    const sealed = specs.filter(({ kind }) => kind === 'kms' || kind === 'tpm');
    t.is(tokens.length, sealed.length + 1, 'one for each sealed key, and the record');
    previous = specs;
  }
});

withTpm(
  'firmware that changed: the TPM refuses by name, another key opens, and the TPM key is sealed again',
  async (t) => {
    const { context, software } = await realMachine(t);
    const path = await imageFile(t);
    await luks.format(path, { key: base.passphrase, pbkdf: cheap });
    const header = headerOf(path);
    const specs = [base, tpmKey(1)];
    using opened = await unlock(header, specs, context);
    await synchronise(header, specs, context, opened);
    await measure(software, 7, 'another key database');
    const error = await t.throwsAsync(unlock(header, [tpmKey(1)], context), { code: 'ERR_KEYS_NONE' });
    t.regex(error?.message ?? '', /PCR 7/);
    const report = await synchronise(header, specs, context, opened);
    t.like(report.synced[1], { slot: 1, change: 'replaced' });
    t.regex(report.synced[1]?.reason ?? '', /PCR 7/);
    using again = await unlock(header, [tpmKey(1)], context);
    t.is(again.slot, 1);
  },
);

withTpm('another TPM refuses what it did not seal, and takes over', async (t) => {
  const first = await realMachine(t);
  const second = await realMachine(t);
  const path = await imageFile(t);
  await luks.format(path, { key: base.passphrase, pbkdf: cheap });
  const header = headerOf(path);
  const specs = [base, tpmKey(1, [])];
  using opened = await unlock(header, specs, first.context);
  await synchronise(header, specs, first.context, opened);
  const error = await t.throwsAsync(unlock(header, [tpmKey(1, [])], second.context), {
    code: 'ERR_KEYS_NONE',
  });
  t.regex(error?.message ?? '', /TPM/);
  const report = await synchronise(header, specs, second.context, opened);
  t.like(report.synced[1], { slot: 1, change: 'replaced' });
  using again = await unlock(header, [tpmKey(1, [])], second.context);
  t.is(again.slot, 1);
});

withTpm('a key server is asked for the volume and the node it sealed for', async (t) => {
  const { context, endpoint } = await realMachine(t);
  const path = await imageFile(t);
  await luks.format(path, { key: base.passphrase, pbkdf: cheap });
  const header = headerOf(path);
  const specs = [base, kmsKey(1, endpoint)];
  using opened = await unlock(header, specs, context);
  await synchronise(header, specs, context, opened);
  for (const other of [{ machineUuid: '11111111-2222-3333-4444-555555555555' }, { volumeId: 'u-other' }]) {
    const error = await t.throwsAsync(unlock(header, [kmsKey(1, endpoint)], { ...context, ...other }), {
      code: 'ERR_KEYS_NONE',
    });
    t.like(error, { failures: [{ code: 'ERR_KMS_REFUSED', permanence: 'needs-operator' }] });
  }
  using again = await unlock(header, [kmsKey(1, endpoint)], context);
  t.is(again.slot, 1);
});

withTpm('a keyslot area without room: the key is changed in place while another stays', async (t) => {
  const { context } = await realMachine(t);
  const path = await imageFile(t);
  await luks.format(path, { key: base.passphrase, pbkdf: cheap });
  const header = headerOf(path);
  using opened = await unlock(header, [base], context);
  await synchronise(header, [base, staticKey(1, 'old')], context, opened);
  using filler = Secret.copy(Buffer.from('by hand'));
  for (let slot = 2; slot < 32; slot += 1) {
    await luks.keyslots.add(path, {
      existing: base.passphrase,
      key: filler,
      slot,
      pbkdf: cheap,
      prove: false,
    });
  }
  const report = await synchronise(header, [base, tpmKey(1)], context, opened);
  t.like(report.synced[1], { slot: 1, change: 'replaced' });
  t.regex(report.synced[1]?.reason ?? '', /in place/);
  using again = await unlock(header, [tpmKey(1)], context);
  t.is(again.slot, 1);
  t.is(report.unmanaged.length, 30);
});

withTpm('a header has room for the TPM keys of all registers, while one of them is rotated', async (t) => {
  const { context, software } = await realMachine(t);
  for (let pcr = 0; pcr < 8; pcr += 1) await measure(software, pcr, 'something');
  const path = await imageFile(t);
  await luks.format(path, { key: base.passphrase, pbkdf: cheap });
  const header = headerOf(path);
  const specs = [base, tpmKey(1, [0, 1, 2, 3, 4, 5, 6, 7]), tpmKey(2, [7])];
  using opened = await unlock(header, specs, context);
  t.deepEqual((await synchronise(header, specs, context, opened)).failed, []);
  t.deepEqual((await rotate(header, specs, context, opened)).failed, []);
});
