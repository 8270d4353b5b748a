import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Secret } from '@nodecore/sys';
import { command, output, program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type PcrSignatures, policyDigest, pcrSignatures, type SealedObject } from '../src/index.ts';
import { digest, hex, opened, started, tool } from './software.ts';

const withTools = testWith(program('swtpm'), program('tpm2_unseal'));
const withSystemd = testWith(program('swtpm'), program('systemd-cryptenroll'), program('cryptsetup'));

withTools('what we seal, tpm2_load and tpm2_unseal open under tpm2_policypcr', async (t) => {
  const { software, tpm } = await started(t);
  await tpm.extendPcr(4, digest('boot loader'));
  using secret = Secret.random(32);
  const { blob } = await tpm.seal(secret, { pcrs: [7, 4] });
  await tpm.close();
  const cwd = await temporaryDirectory(t);
  const privateBytes = 2 + Buffer.from(blob).readUInt16BE(0);
  await writeFile(join(cwd, 'private'), blob.subarray(0, privateBytes));
  await writeFile(join(cwd, 'public'), blob.subarray(privateBytes));
  const run = (...argv: [string, ...string[]]): Promise<string> => tool(software.tcti, argv, { cwd });
  await run('tpm2_load', '-C', '0x81000001', '-r', 'private', '-u', 'public', '-c', 'object');
  await run('tpm2_flushcontext', '--transient-object');
  await run('tpm2_startauthsession', '--policy-session', '-S', 'session');
  await run('tpm2_policypcr', '-S', 'session', '-l', 'sha256:4,7');
  await run('tpm2_unseal', '-p', 'session:session', '-c', 'object', '-o', 'secret');
  t.is(hex(await readFile(join(cwd, 'secret'))), hex(secret.bytes));
});

withTools(
  'what was sealed under a key that stays in the TPM opens, as systemd 254 and later seal',
  async (t) => {
    const { software, tpm } = await started(t);
    const policyHash = policyDigest({ pcrs: [7] }, await tpm.readPcrs([7]));
    await tpm.close();
    const cwd = await temporaryDirectory(t);
    using secret = Secret.random(32);
    await writeFile(join(cwd, 'secret'), secret.bytes);
    await writeFile(join(cwd, 'policy'), policyHash);
    const attributes = 'restricted|decrypt|fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda';
    const run = (...argv: [string, ...string[]]): Promise<string> => tool(software.tcti, argv, { cwd });
    await run('tpm2_createprimary', '-C', 'o', '-g', 'sha256', '-G', 'ecc', '-a', attributes, '-c', 'root');
    await run('tpm2_evictcontrol', '-C', 'o', '-c', 'root', '-o', 'handle', '0x81000001');
    await run('tpm2_flushcontext', '--transient-object');
    const object = ['-L', 'policy', '-i', 'secret', '-u', 'public', '-r', 'private'];
    await run('tpm2_create', '-C', '0x81000001', '-g', 'sha256', '-a', 'fixedtpm|fixedparent', ...object);
    await run('tpm2_flushcontext', '--transient-object');
    const parts = ['private', 'public'].map((name) => readFile(join(cwd, name)));
    const sealed: SealedObject = {
      blob: Buffer.concat(await Promise.all(parts)),
      pcrs: [7],
      bank: 'sha256',
      primaryAlg: 'ecc',
      policyHash,
      pin: false,
      publicKeyPcrs: [],
      srk: await readFile(join(cwd, 'handle')),
    };
    const again = await opened(t, { tcti: software.tcti });
    using back = await again.unseal(sealed);
    t.true(back.equals(secret));
    const damaged = Uint8Array.from(sealed.srk ?? []);
    damaged[100] = (damaged[100] ?? 0) ^ 1;
    await t.throwsAsync(again.unseal({ ...sealed, srk: damaged }), { code: 'ERR_TPM_BLOB_INVALID' });
    await again.close();
    await run('tpm2_evictcontrol', '-C', 'o', '-c', '0x81000001');
    const without = await opened(t, { tcti: software.tcti });
    await t.throwsAsync(without.unseal(sealed), { code: 'ERR_TPM_DIFFERENT' });
  },
);

type Token = {
  readonly keyslots: readonly string[];
  readonly 'tpm2-blob': string;
  readonly 'tpm2-pcrs': readonly number[];
  readonly 'tpm2-policy-hash': string;
  readonly 'tpm2-primary-alg': 'ecc' | 'rsa';
  readonly 'tpm2-pin': boolean;
  readonly tpm2_pubkey?: string;
  readonly tpm2_pubkey_pcrs?: readonly number[];
};

function sealedOf(token: Token): SealedObject {
  return {
    blob: Buffer.from(token['tpm2-blob'], 'base64'),
    pcrs: token['tpm2-pcrs'],
    bank: 'sha256',
    primaryAlg: token['tpm2-primary-alg'],
    policyHash: Buffer.from(token['tpm2-policy-hash'], 'hex'),
    pin: token['tpm2-pin'],
    ...(token.tpm2_pubkey === undefined ? {} : { publicKey: Buffer.from(token.tpm2_pubkey, 'base64') }),
    publicKeyPcrs: token.tpm2_pubkey_pcrs ?? [],
  };
}

/** Has systemd enrol a volume of its own into the TPM, and returns the token and the volume. */
async function enrolled(
  t: ExecutionContext,
  tcti: string,
  ...options: readonly string[]
): Promise<{ readonly volume: string; readonly token: Token }> {
  const volume = join(await temporaryDirectory(t), 'volume');
  await writeFile(volume, '');
  await output(['truncate', '--size', '20M', volume]);
  const cheap = ['--pbkdf', 'pbkdf2', '--pbkdf-force-iterations', '1000'];
  await output(['cryptsetup', 'luksFormat', '--batch-mode', '--type', 'luks2', ...cheap, volume, '-'], {
    input: 'passphrase',
  });
  await output(['systemd-cryptenroll', `--tpm2-device=${tcti}`, ...options, volume], {
    env: { PASSWORD: 'passphrase', NEWPIN: '1234' },
  });
  // Its sessions stay in a TPM without a resource manager.
  await tool(tcti, ['tpm2_flushcontext', '--loaded-session']);
  await tool(tcti, ['tpm2_flushcontext', '--transient-object']);
  const token = JSON.parse(await output(['cryptsetup', 'token', 'export', '--token-id', '0', volume]));
  return { volume, token: token as Token };
}

/** systemd's passphrase is the base64 text of what it sealed. */
async function opens(volume: string, secret: Secret): Promise<boolean> {
  const argv = ['cryptsetup', 'open', '--test-passphrase', volume, '--key-file', '-'] as const;
  const { code } = await command(argv, { input: secret.bytes.toString('base64') });
  return code === 0;
}

withSystemd('what systemd-cryptenroll seals opens, with registers, without, and with a PIN', async (t) => {
  const software = await softwareTpm(t);
  const { tcti } = software;
  await tool(tcti, ['tpm2_pcrextend', `7:sha256=${hex(digest('secure boot'))}`]);
  const none = '--tpm2-public-key=';
  const plain = await enrolled(t, tcti, '--tpm2-pcrs=7', none);
  const free = await enrolled(t, tcti, '--tpm2-pcrs=', none);
  const guarded = await enrolled(t, tcti, '--tpm2-pcrs=7+4', '--tpm2-with-pin=yes', none);

  const tpm = await opened(t, { tcti });
  using first = await tpm.unseal(sealedOf(plain.token));
  t.true(await opens(plain.volume, first));
  using second = await tpm.unseal(sealedOf(free.token));
  t.true(await opens(free.volume, second));
  using pin = Secret.take(Buffer.from('1234'));
  await t.throwsAsync(tpm.unseal(sealedOf(guarded.token)), { code: 'ERR_TPM_PIN_REQUIRED' });
  using third = await tpm.unseal(sealedOf(guarded.token), { pin });
  t.true(await opens(guarded.volume, third));
});

withSystemd('what systemd-cryptenroll seals under a public key opens with its signatures', async (t) => {
  const software = await softwareTpm(t);
  const { tcti } = software;
  const directory = await temporaryDirectory(t);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = join(directory, 'tpm2-pcr-public-key.pem');
  await writeFile(pem, publicKey.export({ format: 'pem', type: 'spki' }));
  await tool(tcti, ['tpm2_pcrextend', `7:sha256=${hex(digest('secure boot'))}`]);
  await tool(tcti, ['tpm2_pcrextend', `11:sha256=${hex(digest('image'))}`]);
  const made = await enrolled(t, tcti, '--tpm2-pcrs=7', `--tpm2-public-key=${pem}`);

  const tpm = await opened(t, { tcti });
  const values = await tpm.readPcrs([11]);
  const policy = policyDigest({ pcrs: [11] }, values);
  const fingerprint = createHash('sha256').update(publicKey.export({ format: 'der', type: 'pkcs1' }));
  const json = JSON.stringify({
    sha256: [
      {
        pcrs: [11],
        pkfp: fingerprint.digest('hex'),
        pol: hex(policy),
        sig: sign('sha256', policy, privateKey).toString('base64'),
      },
    ],
  });
  await writeFile(join(directory, 'tpm2-pcr-signature.json'), json);
  const { signatures } = await pcrSignatures({ directories: [directory] });
  using secret = await tpm.unseal(sealedOf(made.token), { signatures: signatures as PcrSignatures });
  t.true(await opens(made.volume, secret));
});
