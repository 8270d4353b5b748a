import { createPublicKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';

import { EfiError } from './errors.ts';

const signAsync = promisify(sign);

/** RSASSA-PKCS1-v1_5 with SHA-256, in the thread pool. */
export async function signBytesWith(key: KeyObject, bytes: Uint8Array): Promise<Buffer> {
  return await signAsync('sha256', bytes, key);
}

/** Signs bytes with RSASSA-PKCS1-v1_5 and SHA-256, elsewhere: a token, or a key management service. */
export type SignBytes = (bytes: Uint8Array) => Promise<Uint8Array>;

/** Who signs: an RSA key and its certificate, PEM or DER. */
export type Signer = {
  readonly key: KeyObject | SignBytes;
  readonly certificate: Uint8Array;
};

/**
 * Signs bytes and proves the signature by the certificate before it is handed out.
 *
 * @throws {EfiError} `ERR_EFI_KEY` for what is no RSA key, or when the certificate is another's.
 */
export async function signBytes({ key, certificate }: Signer, bytes: Uint8Array): Promise<Buffer> {
  const { publicKey } = readCertificate(certificate);
  if (publicKey.asymmetricKeyType !== 'rsa') {
    throw new EfiError(
      'ERR_EFI_KEY',
      `firmware takes RSA keys, this certificate is for ${publicKey.asymmetricKeyType}`,
    );
  }
  if (typeof key === 'function') return proven(publicKey, bytes, Buffer.from(await key(bytes)));
  if (key.type !== 'private' || !createPublicKey(key).equals(publicKey)) throw foreign();
  return await signBytesWith(key, bytes);
}

function proven(publicKey: KeyObject, bytes: Uint8Array, signature: Buffer): Buffer {
  if (verifyBytes(publicKey, bytes, signature)) return signature;
  throw foreign();
}

function foreign(): EfiError {
  return new EfiError('ERR_EFI_KEY', 'the key does not belong to the certificate');
}

/** Whether an RSA key signed the bytes, with PKCS #1 v1.5 and SHA-256. */
export function verifyBytes(publicKey: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  return publicKey.asymmetricKeyType === 'rsa' && verify('sha256', bytes, publicKey, signature);
}

/**
 * The certificate in PEM or DER.
 *
 * @throws {EfiError} `ERR_EFI_KEY`
 */
export function readCertificate(bytes: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(bytes);
  } catch {
    throw new EfiError('ERR_EFI_KEY', 'not a certificate in PEM or DER');
  }
}
