import type { X509Certificate } from 'node:crypto';

import { builtin } from '@nodecore/sys/pure';
import { type Place } from './place.ts';
import { isPemMistake, splitPem, type PemBlock } from './pem-bundle.ts';
import { checkName } from './document-name.ts';
import { type TrustedRoots } from './types.ts';

const crypto = builtin('node:crypto');

/** Reads a `TrustedRootsConfig`: authorities that the node trusts beside the public ones. */
export function readTrustedRoots(root: Place): TrustedRoots | undefined {
  const name = root.get('name')?.text();
  if (name !== undefined) checkName(root, name);
  const certificates = readCertificates(root.get('certificates'), root.nowMs);
  return name === undefined ? undefined : { name, certificates };
}

function readCertificates(field: Place | undefined, nowMs: number): string[] {
  const text = field?.text();
  if (field === undefined || text === undefined) return [];
  const place = (line: number): number => field.ahead({ line, column: 1 });
  const blocks = splitPem(text);
  if (isPemMistake(blocks)) {
    field.problem('certificate.invalid', blocks.message, place(blocks.line));
    return [];
  }
  if (blocks.length === 0) {
    field.problem('certificate.invalid', 'must be one or more certificates in PEM form');
  }
  for (const [index, block] of blocks.entries()) {
    checkCertificate({ field, block, what: `certificate ${index + 1}`, offset: place(block.line), nowMs });
  }
  return blocks.map(({ pem }) => pem);
}

type Check = {
  readonly field: Place;
  readonly block: PemBlock;
  /** `certificate 2`: a bundle may hold hundreds. */
  readonly what: string;
  readonly offset: number;
  readonly nowMs: number;
};

function checkCertificate({ field, block, what, offset, nowMs }: Check): void {
  if (block.label !== 'CERTIFICATE') {
    // The label is text of the user, so it is not quoted: a secret may have taken its place.
    const isKey = block.label.endsWith('PRIVATE KEY');
    const found = isKey ? 'is a private key, which has no place here' : 'is not a CERTIFICATE block';
    field.problem('certificate.invalid', `${what} ${found}`, offset);
    return;
  }
  const certificate = parseCertificate(block.pem);
  if (certificate === undefined) {
    field.problem('certificate.invalid', `${what} can not be read`, offset);
    return;
  }
  if (!certificate.ca) {
    field.warning(
      'certificate.not_ca',
      `${what} is not an authority (CA): it vouches for no other certificate`,
      offset,
    );
  }
  if (certificate.validToDate.getTime() <= nowMs) {
    const date = certificate.validToDate.toISOString();
    field.warning('certificate.expired', `${what} expired on ${date}`, offset);
  }
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new (crypto().X509Certificate)(pem);
  } catch {
    return undefined; // the library's error would say nothing more
  }
}
