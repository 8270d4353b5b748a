import { createHash, type X509Certificate } from 'node:crypto';

import { readCertificate } from './authority.ts';
import { PkiError } from './errors.ts';

const digestBytes = 32;

/**
 * SHA-256 over the subject public key info, in base64: it stays the same when a certificate is made again with its
 * key.
 */
export function fingerprint(certificate: string | X509Certificate): string {
  return digestOf(certificate).toString('base64');
}

/** Whether a certificate has one of the fingerprints, each in base64 or in hex with or without colons. */
export function matchesFingerprint(
  certificate: string | X509Certificate,
  fingerprints: readonly string[],
): boolean {
  const digest = digestOf(certificate);
  return fingerprints.map((text) => parseFingerprint(text)).some((wanted) => wanted.equals(digest));
}

/** The bytes of a fingerprint as a user gives it. */
export function parseFingerprint(text: string): Buffer {
  const compact = text.trim().replaceAll(':', '');
  if (/^[0-9a-f]{64}$/iu.test(compact)) return Buffer.from(compact, 'hex');
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/u.test(compact) ? Buffer.from(compact, 'base64') : Buffer.alloc(0);
  if (bytes.byteLength !== digestBytes) {
    throw new PkiError('ERR_PKI_FINGERPRINT', `not a SHA-256 fingerprint in base64 or hex: ${text}`);
  }
  return bytes;
}

function digestOf(certificate: string | X509Certificate): Buffer {
  const { publicKey } = typeof certificate === 'string' ? readCertificate(certificate) : certificate;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}
