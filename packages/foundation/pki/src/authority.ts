import { X509Certificate, createPrivateKey } from 'node:crypto';

import type { Secret } from '@nodecore/sys';
import type * as X509 from '@peculiar/x509';

import { PkiError } from './errors.ts';
import { generateKey, keyPair } from './key.ts';
import { algorithm, x509 } from './library.ts';
import { alternativeNames } from './names.ts';
import { validity, type Lifetime } from './validity.ts';

/** A certificate and its private key, both PEM. Who holds the identity disposes the key. */
export type Identity = { readonly crt: string; readonly key: Secret };

/** Ten years. */
export const authorityLifetimeMs: number = 87_600 * 3_600_000;

/**
 * A new self-signed authority whose subject has the organization; valid for ten years by default. The caller disposes
 * the key.
 *
 * @example
 * const ca = await createCA('example');
 * const admin = await issueClient(ca, { roles: ['os:admin'] });
 */
export async function createCA(
  organization: string,
  options: Lifetime & { readonly key?: Secret; readonly names?: readonly string[] } = {},
): Promise<Identity> {
  const library = await x509();
  const key = options.key ?? (await generateKey());
  const keys = keyPair(key);
  const { KeyUsageFlags } = library;
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    name: [{ O: [organization] }],
    ...validity(options, authorityLifetimeMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new library.BasicConstraintsExtension(true, undefined, true),
      new library.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
      await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...alternativeNames(library, options.names ?? []),
    ],
  });
  return { crt: pemOf(certificate), key };
}

/** An authority's certificate, ready to issue. Refuses what could not: a leaf certificate, another's key. */
export async function readAuthority(ca: Identity): Promise<X509.X509Certificate> {
  const certificate = readCertificate(ca.crt);
  if (!certificate.ca) throw new PkiError('ERR_PKI_AUTHORITY', 'the certificate is not an authority (CA)');
  keyPair(ca.key); // says what is wrong with the key itself
  if (!certificate.checkPrivateKey(createPrivateKey(ca.key.bytes))) {
    throw new PkiError('ERR_PKI_AUTHORITY', 'the key does not belong to the certificate');
  }
  const library = await x509();
  return new library.X509Certificate(ca.crt);
}

/** The first certificate of a PEM text. */
export function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new PkiError('ERR_PKI_CERTIFICATE', 'not a certificate in PEM form');
  }
}

/** PEM text with one newline at its end. */
export function pemOf(certificate: X509.X509Certificate): string {
  return `${certificate.toString('pem').trim()}\n`;
}
