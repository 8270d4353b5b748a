import { createHash } from 'node:crypto';

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
  const { names = [] } = options;
  const request = await library.Pkcs10CertificateRequestGenerator.create({
    name: subjectOf(options.roles ?? []),
    keys: keyPair(key),
    signingAlgorithm: algorithm,
    ...(names.length === 0 ? {} : { extensions: alternativeNames(library, names) }),
  });
  return `${request.toString('pem').trim()}\n`;
}

/** Reads a request and checks that its maker has the private key. */
export async function readRequest(pem: string): Promise<X509.Pkcs10CertificateRequest> {
  const request = parseRequest(await x509(), pem);
  let valid: boolean;
  try {
    valid = await request.verify();
  } catch (cause) {
    throw new PkiError('ERR_PKI_REQUEST', notARequest, { cause });
  }
  if (!valid) throw new PkiError('ERR_PKI_REQUEST', 'the signature of the certificate request is wrong');
  return request;
}

const notARequest = 'not a certificate request in PEM form';

function parseRequest(library: typeof X509, pem: string): X509.Pkcs10CertificateRequest {
  try {
    return new library.Pkcs10CertificateRequest(pem);
  } catch (cause) {
    throw new PkiError('ERR_PKI_REQUEST', notARequest, { cause });
  }
}

/**
 * Whose request it is, as the digest of its key, of a request that asks for nothing beside: no subject, no names, no extension,
 * and a key for Ed25519.
 *
 * @param pem PKCS #10 in PEM form.
 * @returns as {@link fingerprint} gives it of the certificate.
 * @throws {PkiError} `ERR_PKI_REQUEST`
 */
export async function bareRequestKey(pem: string): Promise<string> {
  const request = parseRequest(await x509(), pem);
  const { publicKey, subjectName, attributes } = request;
  // A key of another kind is not even used for the check of the signature: that could take long.
  if (publicKey.algorithm.name !== algorithm.name)
    throw new PkiError('ERR_PKI_REQUEST', 'the key of the certificate request must be of Ed25519');
  if (subjectName.toJSON().length > 0)
    throw new PkiError('ERR_PKI_REQUEST', 'the certificate request has a subject');
  if (attributes.length > 0)
    throw new PkiError('ERR_PKI_REQUEST', 'the certificate request has extensions or attributes');
  await readRequest(pem);
  return createHash('sha256').update(new Uint8Array(publicKey.rawData)).digest('base64');
}

/** One relative name per role, as a certificate of a user has them. */
export function subjectOf(roles: readonly string[]): X509.JsonName {
  return roles.map((role) => ({ O: [role] }));
}
