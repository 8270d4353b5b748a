import { readCertificate } from '@nodecore/pki';

/** Certificates of one PEM text, each by itself. */
export type Certificates = readonly string[];

const blocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/gu;

export function certificatesIn(pem: string): Certificates {
  return pem.match(blocks) ?? [];
}

/** Whether both are the same certificate, however their PEM is broken into lines. */
export function isSame(one: string | undefined, other: string): boolean {
  return one !== undefined && readCertificate(one).fingerprint256 === readCertificate(other).fingerprint256;
}

/** Certificates below one another. */
export function bundle(...certificates: readonly string[]): string {
  return certificates.map((crt) => `${crt.trim()}\n`).join('');
}

/** By which people compare certificates: the first bytes of SHA-256. */
export function shortName(crt: string): string {
  return readCertificate(crt).fingerprint256.replaceAll(':', '').slice(0, 16).toLowerCase();
}
