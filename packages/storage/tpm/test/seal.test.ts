import { generateKeyPairSync } from 'node:crypto';

import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';

import { policyDigest } from '../src/index.ts';
import { command, interposer } from './interposer.ts';
import { digest, hex, opened, started, tool } from './software.ts';

const withTpm = testWith(program('swtpm'), program('tpm2_clear'));

withTpm('what is sealed comes back while the registers are the same', async (t) => {
  const { tpm } = await started(t);
  for (const sizeBytes of [1, 32, 128]) {
    using secret = Secret.random(sizeBytes);
    const sealed = await tpm.seal(secret, { pcrs: [7] });
    using back = await tpm.unseal(sealed);
    t.true(back.equals(secret));
  }
});

withTpm('registers may be named in any order and more than once', async (t) => {
  const { tpm } = await started(t);
  await tpm.extendPcr(1, digest('settings'));
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7, 1, 7] });
  t.deepEqual(sealed.pcrs, [1, 7]);
  t.is(hex(sealed.policyHash), hex(policyDigest({ pcrs: [7, 1, 1] }, await tpm.readPcrs([7, 1]))));
  using back = await tpm.unseal(sealed);
  t.true(back.equals(secret));
});

withTpm('a list without registers binds to no state of the machine', async (t) => {
  const { tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [] });
  t.deepEqual(sealed.pcrs, []);
  await tpm.extendPcr(7, digest('another state'));
  using back = await tpm.unseal(sealed);
  t.true(back.equals(secret));
});

withTpm('a secret survives a power cycle that leads to the same state', async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  await tpm.close();
  await software.powerCycle();
  const again = await opened(t, { tcti: software.tcti });
  await again.extendPcr(7, digest('secure boot'));
  using back = await again.unseal(sealed);
  t.true(back.equals(secret));
});

withTpm('a register that changed is named, and the secret stays sealed', async (t) => {
  const { tpm } = await started(t);
  await tpm.extendPcr(4, digest('boot loader'));
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [4, 7] });
  await tpm.extendPcr(7, digest('Secure Boot is off'));
  const named = await t.throwsAsync(tpm.unseal(sealed), {
    code: 'ERR_TPM_PCR_MISMATCH',
    message: /PCR 7 differs/,
  });
  t.deepEqual((named as { pcrs?: unknown }).pcrs, [7]);
  const { measured, ...foreign } = sealed;
  t.is(measured?.values.size, 2);
  const error = await t.throwsAsync(tpm.unseal(foreign), { code: 'ERR_TPM_PCR_MISMATCH' });
  t.deepEqual((error as { pcrs?: unknown }).pcrs, [4, 7], 'nobody knows which, so both are named');
});

withTpm('a register that nothing was measured into is refused', async (t) => {
  const { tpm } = await started(t);
  using secret = Secret.random(32);
  const zeros = await t.throwsAsync(tpm.seal(secret, { pcrs: [3, 7] }), { code: 'ERR_TPM_PCR_UNUSABLE' });
  t.deepEqual((zeros as { pcrs?: unknown }).pcrs, [3]);
  await t.throwsAsync(tpm.seal(secret, { pcrs: [17] }), { code: 'ERR_TPM_PCR_UNUSABLE' }); // 0xff
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }));
  await t.throwsAsync(tpm.seal(secret, { pcrs: [7], publicKey: pem }), { code: 'ERR_TPM_PCR_UNUSABLE' });
});

withTpm('another TPM, and a cleared one, are told from a changed machine', async (t) => {
  const { software, tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  const { keyName, ...unnamed } = sealed;
  t.is(keyName?.length, 34);
  const { tpm: other } = await started(t);
  await t.throwsAsync(other.unseal(sealed), { code: 'ERR_TPM_DIFFERENT' });
  await t.throwsAsync(other.unseal(unnamed), { code: 'ERR_TPM_DIFFERENT' });
  await tpm.close();
  await tool(software.tcti, ['tpm2_clear', '-c', 'platform']);
  const cleared = await opened(t, { tcti: software.tcti });
  await t.throwsAsync(cleared.unseal(sealed), { code: 'ERR_TPM_DIFFERENT' });
  await t.throwsAsync(cleared.unseal(unnamed), { code: 'ERR_TPM_DIFFERENT' });
});

withTpm('a TPM without elliptic curves seals under an RSA key', async (t) => {
  const { software, tpm } = await started(t);
  await tpm.close();
  const { tcti } = await interposer(t, software, {
    onAnswer: (code, bytes) => {
      const curve = bytes.includes(Buffer.from('0023000b', 'hex')); // an ECC key under SHA-256
      return code === command.createPrimary && curve ? Buffer.from('80010000000a000002e6', 'hex') : bytes;
    },
  });
  const poor = await opened(t, { tcti });
  using secret = Secret.random(32);
  const sealed = await poor.seal(secret, { pcrs: [7] });
  t.is(sealed.primaryAlg, 'rsa');
  using back = await poor.unseal(sealed);
  t.true(back.equals(secret));
});

withTpm('a bank that is not in use binds nothing, and is refused', async (t) => {
  const { software, tpm } = await started(t);
  await tpm.close();
  await tool(software.tcti, ['tpm2_pcrallocate', 'sha1:all+sha256:none']);
  await software.powerCycle();
  const without = await opened(t, { tcti: software.tcti });
  t.false((await without.capabilities()).pcrBanks.some(({ bank }) => bank === 'sha256'));
  await t.throwsAsync(without.readPcrs([7]), {
    code: 'ERR_TPM_UNSUPPORTED',
    message: /no sha256 bank with PCR 7/,
  });
});

withTpm('a blob that demands another policy than is said beside it is damaged', async (t) => {
  const { tpm } = await started(t);
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [7] });
  const { policyHash } = await tpm.seal(secret, { pcrs: [] });
  await t.throwsAsync(tpm.unseal({ ...sealed, policyHash }), { code: 'ERR_TPM_BLOB_INVALID' });
});
