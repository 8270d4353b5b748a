import type { Secret } from '@nodecore/sys';
import type * as X509 from '@peculiar/x509';

import { PkiError } from './errors.ts';
import { keyPair } from './key.ts';
import { algorithm, x509 } from './library.ts';
import { alternativeNames } from './names.ts';

/** What the subject and the names of a request say. */
export type RequestOptions = {
  /** Become the organizations of the subject, one each. */
  readonly roles?: readonly string[];
  /** IP addresses and DNS names. */
  readonly names?: readonly string[];
};

/** A certificate request (PKCS #10) in PEM form, signed by its key. */
export async function createCSR(key: Secret, options: RequestOptions = {}): Promise<string> {
  const library = await x509();
  const request = await library.Pkcs10CertificateRequestGenerator.create({
    name: subjectOf(options.roles ?? []),
    keys: keyPair(key),
    signingAlgorithm: algorithm,
    extensions: alternativeNames(library, options.names ?? []),
  });
  return `${request.toString('pem').trim()}\n`;
}

/** Reads a request and checks that its maker has the private key. */
export async function readRequest(pem: string): Promise<X509.Pkcs10CertificateRequest> {
  const library = await x509();
  let request: X509.Pkcs10CertificateRequest;
  let valid: boolean;
  try {
    request = new library.Pkcs10CertificateRequest(pem);
    valid = await request.verify();
  } catch (cause) {
    throw new PkiError('ERR_PKI_REQUEST', 'not a certificate request in PEM form', { cause });
  }
  if (!valid) throw new PkiError('ERR_PKI_REQUEST', 'the signature of the certificate request is wrong');
  return request;
}

/** One relative name per role, as a certificate of a user has them. */
export function subjectOf(roles: readonly string[]): X509.JsonName {
  return roles.map((role) => ({ O: [role] }));
}
