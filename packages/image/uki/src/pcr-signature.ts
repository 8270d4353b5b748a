import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

import { policyDigest } from '@nodecore/tpm';

import { UkiError } from './errors.ts';

const signAsync = promisify(sign);

/** PEM of the public half, for `.pcrpkey`. */
export function pcrPublicKey(key: KeyObject): Buffer {
  return Buffer.from(publicRsa(key).export({ type: 'spki', format: 'pem' }));
}

/**
 * `.pcrsig`: the statement of the key's holder that this value of PCR 11 (SHA-256 bank) is good, in systemd's form. What a TPM
 * sealed to the key opens under this value and no other.
 *
 * @throws {UkiError} `ERR_UKI_KEY` for what is no private RSA key.
 */
export async function pcrSignature(value: Uint8Array, key: KeyObject): Promise<Buffer> {
  if (key.type !== 'private') throw new UkiError('ERR_UKI_KEY', 'PCR 11 is signed with a private key');
  const policy = policyDigest({ pcrs: [11] }, new Map([[11, value]]));
  const pkcs1 = publicRsa(key).export({ type: 'pkcs1', format: 'der' });
  const entry = {
    pcrs: [11],
    pkfp: createHash('sha256').update(pkcs1).digest('hex'),
    pol: Buffer.from(policy).toString('hex'),
    sig: (await signAsync('sha256', policy, key)).toString('base64'),
  };
  return Buffer.from(JSON.stringify({ sha256: [entry] }));
}

function publicRsa(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new UkiError('ERR_UKI_KEY', 'PCR 11 is signed with an RSA key');
  return key.type === 'public' ? key : createPublicKey(key);
}
