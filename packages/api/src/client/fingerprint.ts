import { createHash, type X509Certificate } from 'node:crypto';

/**
 * SHA-256 of the certificate's public key (SubjectPublicKeyInfo, RFC 5280 §4.1), base64: it stays the same
 * when the certificate is renewed for the same key.
 */
export function fingerprintOf(certificate: X509Certificate): string {
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64');
}

/** Whether two fingerprints are the same, written in base64 or in hexadecimal with or without colons. */
export function sameFingerprint(a: string, b: string): boolean {
  const [first, second] = [bytesOf(a), bytesOf(b)];
  return first !== undefined && second !== undefined && first.equals(second);
}

/** Whether the text is a SHA-256 fingerprint. */
export function isFingerprint(text: string): boolean {
  return bytesOf(text) !== undefined;
}

function bytesOf(text: string): Buffer | undefined {
  const trimmed = text.trim().replace(/^sha256:/i, '');
  const hex = trimmed.replaceAll(':', '');
  const bytes = /^[0-9a-f]{64}$/i.test(hex) ? Buffer.from(hex, 'hex') : Buffer.from(trimmed, 'base64');
  return bytes.length === 32 && /^[A-Za-z0-9+/=:_-]+$/.test(trimmed) ? bytes : undefined;
}
