import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Secret } from '@nodecore/sys';
import { program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';

import { eventLog, type Tpm } from '../src/index.ts';
import { opened, started } from './software.ts';

const withTpm = testWith(program('swtpm'));

function logOf(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}.log`, import.meta.url));
}

/** Measures what a machine measured when it wrote this log. */
async function boot(tpm: Tpm, path: string): Promise<void> {
  for (const { pcr, type, digests } of (await eventLog.read(path)).events) {
    const digest = digests.get('sha256');
    if (pcr === 7 && type !== 3 && digest !== undefined) await tpm.extendPcr(pcr, digest);
  }
}

withTpm('a secret that stays sealed says which component of the boot changed', async (t) => {
  const software = await softwareTpm(t);
  const on = logOf('secure-boot-on');
  const first = await opened(t, { tcti: software.tcti, eventLog: on });
  await boot(first, on);
  using secret = Secret.random(32);
  const sealed = await first.seal(secret, { pcrs: [7] });
  await first.close();

  await software.powerCycle();
  const off = logOf('secure-boot-off');
  const second = await opened(t, { tcti: software.tcti, eventLog: off });
  await boot(second, off);
  const error = await t.throwsAsync(second.unseal(sealed), {
    code: 'ERR_TPM_PCR_MISMATCH',
    message: /PCR 7 differs: PCR 7: SecureBoot changed \(now off\); PCR 7: PK changed/,
  });
  t.deepEqual((error as { pcrs?: unknown }).pcrs, [7]);
});

withTpm('a damaged log hinders neither sealing nor unsealing', async (t) => {
  const path = join(await temporaryDirectory(t), 'log');
  await writeFile(path, Buffer.alloc(100, 0x41));
  const { tpm } = await started(t, { eventLog: path });
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  t.deepEqual(sealed.measured?.events, []);
  using back = await tpm.unseal(sealed);
  t.true(back.equals(secret));
  await tpm.extendPcr(7, new Uint8Array(32));
  await t.throwsAsync(tpm.unseal(sealed), { code: 'ERR_TPM_PCR_MISMATCH', message: /PCR 7 differs$/ });
});

withTpm('a token whose fields do not fit each other is told from a changed machine', async (t) => {
  const { tpm } = await started(t);
  await tpm.extendPcr(4, new Uint8Array(32));
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [4, 7] });
  const invalid = { code: 'ERR_TPM_BLOB_INVALID' } as const;
  await t.throwsAsync(tpm.unseal({ ...sealed, pcrs: [7] }), invalid);
  await t.throwsAsync(tpm.unseal({ ...sealed, policyHash: new Uint8Array(32) }), invalid);
  await t.throwsAsync(tpm.unseal({ ...sealed, blob: sealed.blob.subarray(1) }), invalid);
  await t.throwsAsync(tpm.unseal({ ...sealed, srk: new Uint8Array(40) }), invalid);
  // What the TPM itself protects: a changed private area is nobody's object.
  const blob = Uint8Array.from(sealed.blob);
  blob[40] = (blob[40] ?? 0) ^ 1;
  await t.throwsAsync(tpm.unseal({ ...sealed, blob }), { code: 'ERR_TPM_DIFFERENT' });
});
