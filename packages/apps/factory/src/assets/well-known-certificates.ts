import { X509Certificate } from 'node:crypto';

import type { SignatureList } from '@nodecore/efi';

/** By which option ROMs are signed, and boot loaders of others: Microsoft has one of 2011 and one of 2023. */
const name = /^CN=Microsoft (?:Corporation )?UEFI CA \d{4}$/mu;

/** Whether a db has a certificate of Microsoft by which option ROMs start. */
export function hasWellKnownCertificates(db: readonly SignatureList[]): boolean {
  return db
    .filter(({ type }) => type === 'x509')
    .some(({ entries }) => entries.some(({ data }) => name.test(new X509Certificate(data).subject)));
}
