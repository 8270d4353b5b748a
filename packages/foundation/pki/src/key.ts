import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

import { Secret } from '@nodecore/sys';

import { PkiError } from './errors.ts';
import { algorithm } from './library.ts';
import { toPem } from './pem.ts';

type CryptoKeyPair = { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
type CryptoKey = ReturnType<KeyObject['toCryptoKey']>;

/** A new Ed25519 private key: PKCS #8 in PEM, as bytes. The caller disposes it. */
export async function generateKey(): Promise<Secret> {
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey));
  try {
    return Secret.take(toPem('PRIVATE KEY', der));
  } finally {
    der.fill(0);
  }
}

/** A PEM private key as the pair that signs. */
export function keyPair(key: Secret): CryptoKeyPair {
  const privateKey = readKey(key);
  return {
    privateKey: privateKey.toCryptoKey(algorithm, false, ['sign']),
    publicKey: createPublicKey(privateKey).toCryptoKey(algorithm, true, ['verify']),
  };
}

function readKey(key: Secret): KeyObject {
  let object: KeyObject;
  try {
    object = createPrivateKey(key.bytes);
  } catch {
    throw new PkiError('ERR_PKI_KEY', 'not a private key in PEM form'); // no cause: it could describe the bytes
  }
  if (object.asymmetricKeyType !== 'ed25519') {
    throw new PkiError('ERR_PKI_KEY', `Ed25519 is needed, this is a key for ${object.asymmetricKeyType}`);
  }
  return object;
}
