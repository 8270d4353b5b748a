import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { planRotation, rotate, synchronise, unlock } from '../src/index.ts';
import * as luks from '@nodecore/luks';
import { command, output, program, type SoftwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { cheap, flush, headerOf, imageFile, measure, realMachine } from './real-world.ts';
import { locked, staticKey, tpmKey } from './specs.ts';
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

async function enroll(path: string, software: SoftwareTpm, ...options: readonly string[]): Promise<void> {
  await output(
    ['systemd-cryptenroll', `--tpm2-device=${software.tcti}`, '--tpm2-public-key=', ...options, path],
    { env: { PASSWORD: 'correct horse', NEWPIN: '1234' } },
  );
  await flush(software);
}

/**
 * Opens with the systemd plugin of libcryptsetup, as `cryptsetup open --token-only` does, which has no way to name another
 * TPM than the machine's. The structure is that of systemd's cryptsetup-token-systemd-tpm2.c.
 */
const opener = `
#include <libcryptsetup.h>
#include <stdint.h>
#include <stdio.h>
struct { uint32_t search_pcr_mask; const char *device; const char *signature_path; const char *more[4]; } params;
int main(int argc, char **argv) {
  struct crypt_device *cd;
  if (argc != 3 || crypt_init(&cd, argv[1]) < 0 || crypt_load(cd, CRYPT_LUKS2, NULL) < 0) return 2;
  params.search_pcr_mask = UINT32_MAX;
  params.device = argv[2];
  int slot = crypt_activate_by_token_pin(cd, NULL, "systemd-tpm2", CRYPT_ANY_TOKEN, NULL, 0, &params, 0);
  crypt_free(cd);
  printf("%d", slot);
  return 0;
}
`;

async function openedBySystemd(t: ExecutionContext, path: string, software: SoftwareTpm): Promise<number> {
  const directory = await temporaryDirectory(t);
  const source = join(directory, 'opener.c');
  await writeFile(source, opener);
  await output(['gcc', '-o', join(directory, 'opener'), source, '-lcryptsetup']);
  const slot = Number(await output([join(directory, 'opener'), path, software.tcti]));
  await flush(software);
  return slot;
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

withSystemd('what systemd-cryptenroll has sealed opens, and is taken over as it is', async (t) => {
  const { context, software } = await realMachine(t);
  const path = await formatted(t);
  await enroll(path, software, '--tpm2-pcrs=7');
  const header = headerOf(path);
  using opened = await unlock(header, [tpmKey(1)], context);
  t.is(opened.slot, 1);
  const before = await luks.tokens.get(path, 0);
  const report = await synchronise(header, [base, tpmKey(1)], context, opened);
  t.deepEqual(report.failed, []);
  t.like(report.synced[1], { slot: 1, change: 'none' });
  t.deepEqual(await luks.tokens.get(path, 0), before);
});

withSystemd(
  'what systemd-cryptenroll has sealed under other registers is sealed anew, and its token goes',
  async (t) => {
    const { context, software } = await realMachine(t);
    const path = await formatted(t);
    await enroll(path, software, '--tpm2-pcrs=');
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
  await enroll(path, software, '--tpm2-pcrs=7', '--tpm2-with-pin=yes');
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
