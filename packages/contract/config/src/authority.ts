import type { X509Certificate } from 'node:crypto';

import { builtin, type Secret } from '@nodecore/sys/pure';

import { type Place } from './place.ts';
import { readPem } from './pem-field.ts';
import { privateKeyFits } from './private-key.ts';
import { type Vault } from './vault.ts';

const crypto = builtin('node:crypto');

export type AuthorityContext = { readonly vault: Vault; readonly nowMs: number };

/** A certificate that issues others, with its key: the fields `crt` and `key` of a block. */
export function readAuthority(
  ca: Place | undefined,
  { vault, nowMs }: AuthorityContext,
): { readonly crt: string; readonly key: Secret } | undefined {
  const crt = readCertificate(ca?.get('crt'), nowMs);
  const key = readPem(ca?.get('key'), 'private_key.invalid', 'a private key');
  if (ca !== undefined && key !== undefined) {
    const fits = crt === undefined ? 'fits' : privateKeyFits(key, crt);
    if (fits === 'invalid') ca.problemAt('key', 'private_key.invalid', 'not a private key that can be read');
    if (fits === 'other')
      ca.problemAt('key', 'private_key.mismatch', 'this key does not belong to the certificate in crt');
  }
  if (crt !== undefined && key !== undefined) return { crt, key: vault.keepBytes(key) };
  key?.fill(0);
  return undefined;
}

/** A certificate of an authority, in PEM; a mistake is reported and reads as missing. */
export function readCertificate(field: Place | undefined, nowMs: number): string | undefined {
  const pem = readPem(field, 'certificate.invalid', 'a certificate')?.toString('utf8');
  if (field === undefined || pem === undefined) return undefined;
  const certificate = parseCertificate(pem);
  if (certificate === undefined) {
    field.problem('certificate.invalid', 'not a certificate that can be read');
    return undefined;
  }
  if (!certificate.ca) field.problem('certificate.not_ca', 'this certificate is not an authority (CA)');
  if (certificate.validToDate.getTime() <= nowMs) {
    field.warning(
      'certificate.expired',
      `this certificate expired on ${certificate.validToDate.toISOString()}`,
    );
  }
  return pem;
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new (crypto().X509Certificate)(pem);
  } catch {
    return undefined; // the library's error would say nothing more
  }
}
