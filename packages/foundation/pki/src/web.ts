import { createPrivateKey, createPublicKey } from 'node:crypto';

import { Secret } from '@nodecore/sys';
import type * as X509 from '@peculiar/x509';

import { authorityLifetimeMs, pemOf, type Identity } from './authority.ts';
import { PkiError } from './errors.ts';
import { userLifetimeMs } from './issue.ts';
import { x509 } from './library.ts';
import { alternativeNames } from './names.ts';
import { toPem } from './pem.ts';
import { validity, type Lifetime } from './validity.ts';

/** No browser takes Ed25519. */
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signing = { ...curve, hash: 'SHA-256' } as const;

/**
 * An authority for servers that browsers visit: P-256, self-signed, valid for ten years. The caller disposes the key.
 *
 * @param options.commonName takes the place of the organization in its subject.
 *
 * @example
 * const authority = await createWebAuthority('fleet');
 * const server = await issueWebServer(authority, { names: ['fleet.example'] });
 */
export async function createWebAuthority(
  organization: string,
  { commonName, ...lifetime }: Lifetime & { readonly commonName?: string } = {},
): Promise<Identity> {
  const library = await x509();
  const key = await generateWebKey();
  const { KeyUsageFlags } = library;
  const keys = pairOf(key);
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    name: [commonName === undefined ? { O: [organization] } : { CN: [commonName] }],
    ...validity(lifetime, authorityLifetimeMs),
    signingAlgorithm: signing,
    keys,
    extensions: [
      new library.BasicConstraintsExtension(true, 0, true),
      new library.KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { crt: pemOf(certificate), key };
}

/** A certificate of a server with a new P-256 key, for a year by default. `crt` is its chain: its own, then the authority's. */
export async function issueWebServer(
  authority: Identity,
  options: Lifetime & { readonly names: readonly string[] },
): Promise<Identity> {
  const library = await x509();
  const issuer = new library.X509Certificate(authority.crt);
  const key = await generateWebKey();
  const { publicKey } = pairOf(key);
  const certificate = await library.X509CertificateGenerator.create({
    subject: [{ CN: [options.names[0] ?? 'server'] }],
    issuer: issuer.subjectName.toJSON(),
    ...validity(options, userLifetimeMs),
    signingAlgorithm: signing,
    publicKey,
    signingKey: pairOf(authority.key).privateKey,
    extensions: [
      new library.BasicConstraintsExtension(false, undefined, true),
      new library.KeyUsagesExtension(library.KeyUsageFlags.digitalSignature, true),
      new library.ExtendedKeyUsageExtension([library.ExtendedKeyUsage.serverAuth]),
      await library.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...alternativeNames(library, options.names),
    ] satisfies X509.Extension[],
  });
  return { crt: pemOf(certificate) + authority.crt, key };
}

type Pair = { readonly privateKey: Key; readonly publicKey: Key };
type Key = Parameters<typeof crypto.subtle.exportKey>[1];

async function generateWebKey(): Promise<Secret> {
  const pair = (await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])) as Pair;
  const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey));
  try {
    return Secret.take(toPem('PRIVATE KEY', der));
  } finally {
    der.fill(0);
  }
}

function pairOf(key: Secret): Pair {
  try {
    const privateKey = createPrivateKey(key.bytes);
    return {
      privateKey: privateKey.toCryptoKey(curve, false, ['sign']),
      publicKey: createPublicKey(privateKey).toCryptoKey(curve, true, ['verify']),
    };
  } catch {
    throw new PkiError('ERR_PKI_KEY', 'not a P-256 private key in PEM form'); // no cause: it could describe the bytes
  }
}
