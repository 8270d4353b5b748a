import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { planRotation, rotate, synchronise, unlock } from '../src/index.ts';
import * as luks from '@nodecore/luks';
import * as tpm from '@nodecore/tpm';
import { command, output, program, type SoftwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { cheap, headerOf, imageFile, measure, realMachine } from './real-world.ts';
import { locked, staticKey, tpmKey } from './specs.ts';
import { enroll, openedBySystemd } from './systemd-peer.ts';
import { Secret } from '@nodecore/sys';

const withSystemd = testWith(
  program('swtpm'),
  program('systemd-cryptenroll'),
  program('tpm2_flushcontext'),
  program('gcc'),
);
const base = staticKey(0, 'correct horse');

async function formatted(t: ExecutionContext): Promise<string> {
  const path = await imageFile(t);
  await luks.format(path, { key: base.passphrase, pbkdf: cheap });
  return path;
}

withSystemd("systemd's plugin opens what we seal, and refuses it when the machine has changed", async (t) => {
  const { context, software } = await realMachine(t);
  const path = await formatted(t);
  const header = headerOf(path);
  using opened = await unlock(header, [base], context);
  const report = await synchronise(header, [base, tpmKey(3)], context, opened);
  t.deepEqual(report.failed, []);
  t.is(await openedBySystemd(t, path, software), 3);
  await measure(software, 7, 'something else');
  t.true((await openedBySystemd(t, path, software)) < 0);
});

withSystemd("systemd's plugin is not offered a key that is locked to STATE", async (t) => {
  const { context: machine, software } = await realMachine(t);
  const context = { ...machine, salt: Secret.random(32) };
  const path = await formatted(t);
  const header = headerOf(path);
  using opened = await unlock(header, [base], context);
  t.deepEqual((await synchronise(header, [base, locked(tpmKey(3))], context, opened)).failed, []);
  t.true((await openedBySystemd(t, path, software)) < 0);
  using again = await unlock(header, [locked(tpmKey(3))], context);
  t.is(again.slot, 3);
});

for (const own of [true, false]) {
  const whose = own ? "the machine's systemd-cryptenroll" : 'systemd-cryptenroll of 254 or later';
  withSystemd(`what ${whose} has sealed opens, and is taken over as it is`, async (t) => {
    const { context, software } = await realMachine(t);
    const path = await formatted(t);
    await enroll(t, path, software, ['--tpm2-pcrs=7'], { own });
    const header = headerOf(path);
    using opened = await unlock(header, [tpmKey(1)], context);
    t.is(opened.slot, 1);
    const before = await luks.tokens.get(path, 0);
    const report = await synchronise(header, [base, tpmKey(1)], context, opened);
    t.deepEqual(report.failed, []);
    t.like(report.synced[1], { slot: 1, change: 'none' });
    t.deepEqual(await luks.tokens.get(path, 0), before);
  });
}

withSystemd('systemd and we keep one storage root key in the TPM, whoever comes first', async (t) => {
  const names: unknown[] = [];
  for (const oursFirst of [true, false]) {
    const { context, software } = await realMachine(t);
    const path = await formatted(t);
    const header = headerOf(path);
    const ours = async (): Promise<void> => {
      using opened = await unlock(header, [base], context);
      t.deepEqual((await synchronise(header, [base, tpmKey(3)], context, opened)).failed, []);
    };
    if (oursFirst) await ours();
    await enroll(t, path, software, ['--tpm2-pcrs=']); // it does nothing for registers that are enrolled
    if (!oursFirst) await ours();
    const keys = (await luks.tokens.list(path)).flatMap(({ json }) => json['tpm2_srk'] ?? []);
    t.is(keys.length, 2);
    t.is(new Set(keys).size, 1);
    names.push(await publicArea(software));
  }
  t.deepEqual(names[0], names[1], 'made from one template');
});

/** What the key that stays in the TPM is, apart from its numbers, which are of this TPM alone. */
async function publicArea({ tcti }: SoftwareTpm): Promise<readonly string[]> {
  const text = await output(['tpm2_readpublic', '-c', '0x81000001'], { env: { TPM2TOOLS_TCTI: tcti } });
  return text.split('\n').filter((line) => !/^(?:x|y|rsa|name|qualified name):/.test(line.trim()));
}

withSystemd('in a TPM that is locked out what we sealed opens here and by systemd', async (t) => {
  const { context, software } = await realMachine(t);
  const path = await formatted(t);
  const header = headerOf(path);
  using opened = await unlock(header, [base], context);
  t.deepEqual((await synchronise(header, [base, tpmKey(3)], context, opened)).failed, []);
  await using connection = await tpm.open({ tcti: software.tcti });
  using secret = Secret.random(32);
  using pin = Secret.copy(Buffer.from('1234'));
  using wrong = Secret.copy(Buffer.from('4321'));
  const guarded = await connection.seal(secret, { pcrs: [], pin });
  for (let tries = 0; tries < 3; tries += 1) {
    await t.throwsAsync(connection.unseal(guarded, { pin: wrong }), { code: 'ERR_TPM_PIN_REJECTED' });
  }
  t.true((await connection.lockout()).inLockout);
  await connection.close();
  using again = await unlock(header, [tpmKey(3)], context);
  t.is(again.slot, 3);
  t.is(await openedBySystemd(t, path, software), 3);
  t.deepEqual((await rotate(header, [base, tpmKey(3)], context, again)).failed, []);
  using rotated = await unlock(header, [tpmKey(3)], context);
  t.is(rotated.slot, 3);
});

withSystemd(
  'what systemd-cryptenroll has sealed under other registers is sealed anew, and its token goes',
  async (t) => {
    const { context, software } = await realMachine(t);
    const path = await formatted(t);
    await enroll(t, path, software, ['--tpm2-pcrs=']);
    const header = headerOf(path);
    using opened = await unlock(header, [base, tpmKey(1)], context);
    const report = await synchronise(header, [base, tpmKey(1)], context, opened);
    t.like(report.synced[1], { slot: 1, change: 'replaced' });
    const tokens = (await luks.tokens.list(path)).filter(({ json }) => json.type === 'systemd-tpm2');
    t.deepEqual(
      tokens.map(({ json }) => [json.keyslots, json['tpm2-pcrs']]),
      [[['1'], [7]]],
    );
    t.is(await openedBySystemd(t, path, software), 1);
  },
);

withSystemd('a keyslot that systemd-cryptenroll gave a PIN keeps it, until it is named', async (t) => {
  const { context, software } = await realMachine(t);
  const path = await formatted(t);
  await enroll(t, path, software, ['--tpm2-pcrs=7', '--tpm2-with-pin=yes']);
  const header = headerOf(path);
  const specs = [base, tpmKey(1)];
  using opened = await unlock(header, specs, context);
  const before = await luks.tokens.get(path, 0);
  t.like((await synchronise(header, specs, context, opened)).failed, [
    { slot: 1, code: 'ERR_TPM_PIN_REQUIRED' },
  ]);
  t.like((await rotate(header, specs, context, opened)).failed, [{ slot: 1, code: 'ERR_TPM_PIN_REQUIRED' }]);
  t.deepEqual(await luks.tokens.get(path, 0), before);
  await t.throwsAsync(unlock(header, [tpmKey(1)], context), { code: 'ERR_KEYS_NONE' });

  const plan = await planRotation(header, specs, context, opened, { slots: [1] });
  t.like(plan.keys[1], { action: 'replace', gains: [], loses: ['a PIN'] });
  t.deepEqual((await rotate(header, specs, context, opened, { slots: [1] })).failed, []);
  using again = await unlock(header, [tpmKey(1)], context);
  t.is(again.slot, 1);
});

withSystemd('a recovery key of systemd-cryptenroll stays', async (t) => {
  const { context } = await realMachine(t);
  const path = await formatted(t);
  const file = join(await temporaryDirectory(t), 'recovery');
  const { stdout } = await command(['systemd-cryptenroll', '--recovery-key', path], {
    env: { PASSWORD: 'correct horse' },
  });
  await writeFile(file, stdout.trim());
  const header = headerOf(path);
  using opened = await unlock(header, [base], context);
  for (const specs of [[base], [base, staticKey(1, 'in its place')]]) {
    await synchronise(header, specs, context, opened);
    const key = Secret.take(await readFile(file));
    t.is(await luks.testKey(path, { key }), 1);
    key[Symbol.dispose]();
  }
});
