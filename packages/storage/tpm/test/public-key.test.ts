import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';

import { type PcrSignature, policyDigest } from '../src/index.ts';
import { digest, started } from './software.ts';

const withTpm = testWith(program('swtpm'));

type Signer = { readonly pem: Uint8Array; readonly publicKey: KeyObject; readonly privateKey: KeyObject };

function signer(): Signer {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...pair, pem: Buffer.from(pair.publicKey.export({ format: 'pem', type: 'spki' })) };
}

function signed({ publicKey, privateKey }: Signer, policy: Uint8Array): PcrSignature {
  const pkcs1 = publicKey.export({ format: 'der', type: 'pkcs1' });
  return {
    bank: 'sha256',
    pcrs: [11],
    fingerprint: createHash('sha256').update(pkcs1).digest('hex'),
    policy,
    signature: sign('sha256', policy, privateKey),
  };
}

withTpm('a signed state opens, the next one only with a signature of its own', async (t) => {
  const { tpm } = await started(t);
  await tpm.extendPcr(11, digest('image 1'));
  const key = signer();
  const now = async (): Promise<Uint8Array> => policyDigest({ pcrs: [11] }, await tpm.readPcrs([11]));
  const first = signed(key, await now());
  using secret = Secret.random(32);
  const policy = { pcrs: [7], publicKey: key.pem };
  const sealed = await tpm.seal(secret, policy, { signatures: [first] });
  t.deepEqual(sealed.publicKeyPcrs, [11]);
  using back = await tpm.unseal(sealed, { signatures: [signed(signer(), await now()), first] });
  t.true(back.equals(secret));

  await tpm.extendPcr(11, digest('image 2'));
  await t.throwsAsync(tpm.unseal(sealed, { signatures: [first] }), { code: 'ERR_TPM_SIGNATURE_MISSING' });
  await t.throwsAsync(tpm.unseal(sealed), { code: 'ERR_TPM_SIGNATURE_MISSING' });
  await t.throwsAsync(tpm.seal(secret, policy, { signatures: [first] }), {
    code: 'ERR_TPM_SIGNATURE_MISSING',
  });
  using later = await tpm.unseal(sealed, { signatures: [first, signed(key, await now())] });
  t.true(later.equals(secret));
});

withTpm('without a signature at hand the TPM proves the policy in a trial', async (t) => {
  const { tpm } = await started(t);
  await tpm.extendPcr(11, digest('image'));
  const key = signer();
  using secret = Secret.random(32);
  using pin = Secret.take(Buffer.from('1234'));
  const sealed = await tpm.seal(secret, { pcrs: [7], publicKey: key.pem, pin });
  const policy = policyDigest({ pcrs: [11] }, await tpm.readPcrs([11]));
  using back = await tpm.unseal(sealed, { pin, signatures: [signed(key, policy)] });
  t.true(back.equals(secret));
});

withTpm('a signature that the key did not make is refused by the TPM', async (t) => {
  const { tpm } = await started(t);
  await tpm.extendPcr(11, digest('image'));
  const key = signer();
  using secret = Secret.random(32);
  const sealed = await tpm.seal(secret, { pcrs: [], publicKey: key.pem });
  const policy = policyDigest({ pcrs: [11] }, await tpm.readPcrs([11]));
  const good = signed(key, policy);
  for (const signature of [
    sign('sha256', policy, signer().privateKey),
    new Uint8Array(256),
    new Uint8Array(13),
  ]) {
    await t.throwsAsync(tpm.unseal(sealed, { signatures: [{ ...good, signature }] }), {
      code: 'ERR_TPM_SIGNATURE_INVALID',
    });
  }
});

withTpm('a key that is not RSA can be in no policy', async (t) => {
  const { tpm } = await started(t);
  await tpm.extendPcr(11, digest('image'));
  using secret = Secret.random(32);
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }));
  for (const key of [pem, Buffer.from('no key'), new Uint8Array()]) {
    await t.throwsAsync(tpm.seal(secret, { pcrs: [7], publicKey: key }), { code: 'ERR_TPM_UNSUPPORTED' });
  }
});
