import { Secret } from '@nodecore/sys';
import { program, softwareTpm, type SoftwareTpm, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type Bank, measuredFromJson, measuredToJson, policyDigest, type Tpm } from '../src/index.ts';
import { hex, opened, tool } from './software.ts';

const withTools = testWith(program('swtpm'), program('tpm2_pcrallocate'));

const sizes = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;

/** A TPM with these banks, into some of which the machine measures. */
async function machine(
  t: ExecutionContext,
  banks: readonly Bank[],
  measured: readonly Bank[],
): Promise<{ readonly software: SoftwareTpm; readonly tpm: Tpm }> {
  const software = await softwareTpm(t);
  const all = (['sha1', 'sha256', 'sha384', 'sha512'] as const).map(
    (bank) => `${bank}:${banks.includes(bank) ? 'all' : 'none'}`,
  );
  await tool(software.tcti, ['tpm2_pcrallocate', all.join('+')]);
  await software.powerCycle();
  for (const bank of measured) {
    await tool(software.tcti, ['tpm2_pcrextend', `7:${bank}=${'5a'.repeat(sizes[bank])}`]);
  }
  return { software, tpm: await opened(t, { tcti: software.tcti }) };
}

const cases: readonly (readonly [banks: readonly Bank[], measured: readonly Bank[], chosen: Bank])[] = [
  [['sha1', 'sha256', 'sha384'], ['sha1', 'sha256', 'sha384'], 'sha256'],
  [['sha1', 'sha256', 'sha384'], ['sha1', 'sha384'], 'sha384'], // firmware leaves one on and unused
  [['sha384'], ['sha384'], 'sha384'],
  [['sha1', 'sha512'], ['sha1', 'sha512'], 'sha512'],
];

for (const [banks, measured, chosen] of cases) {
  withTools(
    `with ${banks.join()} on and ${measured.join()} in use a secret is bound to ${chosen}`,
    async (t) => {
      const { software, tpm } = await machine(t, banks, measured);
      using secret = Secret.random(32);
      const sealed = await tpm.seal(secret, { pcrs: [7] });
      t.is(sealed.bank, chosen);
      const values = await tpm.readPcrs([7], chosen);
      t.is(hex(sealed.policyHash), hex(policyDigest({ pcrs: [7] }, values, chosen)));
      using back = await tpm.unseal(sealed);
      t.true(back.equals(secret));
      const then = sealed.measured;
      t.deepEqual(measuredFromJson(then === undefined ? undefined : measuredToJson(then)), then);
      await tpm.close();
      await tool(software.tcti, ['tpm2_pcrextend', `7:${chosen}=${'00'.repeat(sizes[chosen])}`]);
      const later = await opened(t, { tcti: software.tcti });
      await t.throwsAsync(later.unseal(sealed), { code: 'ERR_TPM_PCR_MISMATCH', message: /PCR 7 differs/ });
    },
  );
}

withTools('a TPM with SHA-1 alone binds nothing, and what to do is said', async (t) => {
  const { tpm } = await machine(t, ['sha1'], ['sha1']);
  using secret = Secret.random(32);
  await t.throwsAsync(tpm.seal(secret, { pcrs: [7] }), {
    code: 'ERR_TPM_UNSUPPORTED',
    message: /sha256, sha384, sha512 can, and sha1 is on; switch one on/,
  });
  const free = await tpm.seal(secret, { pcrs: [] });
  using back = await tpm.unseal(free);
  t.true(back.equals(secret));
});

withTools('a register that no bank has something in is refused', async (t) => {
  const { tpm } = await machine(t, ['sha256', 'sha384'], []);
  using secret = Secret.random(32);
  await t.throwsAsync(tpm.seal(secret, { pcrs: [7] }), { code: 'ERR_TPM_PCR_UNUSABLE' });
});
