import 'reflect-metadata';
import { createPrivateKey, createPublicKey } from 'node:crypto';

import * as pki from '@nodecore/pki';
import type { Secret } from '@nodecore/sys';
import * as x509 from '@peculiar/x509';

export type Identity = { readonly crt: string; readonly key: Secret };

/** An authority for servers and nodes. */
export function authority(): Promise<Identity> {
  return pki.createCA('kms test');
}

/** A server's certificate for loopback. */
export function serverIdentity(
  ca: Identity,
  options: { names?: readonly string[]; lifetimeMs?: number; nowMs?: number } = {},
): Promise<Identity> {
  return pki.issueServer(ca, { names: ['127.0.0.1', 'localhost'], ...options });
}

/** A node's certificate with these URIs among its names. */
export async function nodeIdentity(
  ca: Identity,
  uris: readonly string[],
  options: { lifetimeMs?: number; nowMs?: number } = {},
): Promise<{ certificate: string; key: Secret }> {
  const key = await pki.generateKey();
  const privateKey = createPrivateKey(key.bytes);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: ['node'] }],
    keys: {
      privateKey: privateKey.toCryptoKey({ name: 'Ed25519' }, false, ['sign']),
      publicKey: createPublicKey(privateKey).toCryptoKey({ name: 'Ed25519' }, true, ['verify']),
    },
    signingAlgorithm: { name: 'Ed25519' },
    extensions:
      uris.length === 0
        ? []
        : [new x509.SubjectAlternativeNameExtension(uris.map((value) => ({ type: 'url' as const, value })))],
  });
  return { certificate: await pki.signCSR(ca, request.toString('pem'), options), key };
}
