import type { X509Certificate } from 'node:crypto';

import { builtin } from '@nodecore/sys/pure';

import { anyText, withJson } from '../field/shape.ts';
import { type Type } from '../field/type.ts';
import { isPemMistake, splitPem, type PemBlock } from '../pem-bundle.ts';
import { type Place } from '../place.ts';

const crypto = builtin('node:crypto');

/** Certificates of authorities, in PEM; what is wrong with one is reported at its line. */
export const authorities: Type<readonly string[]> = Object.assign(withJson(anyText, { minLength: 1 }), {
  read: (field: Place): readonly string[] | undefined => {
    const text = anyText.read(field);
    if (text === undefined) return undefined;
    const before = field.reading.problems.count;
    const place = (line: number): number => field.ahead({ line, column: 1 });
    const blocks = splitPem(text);
    if (isPemMistake(blocks)) {
      field.problem('certificate.invalid', blocks.message, place(blocks.line));
      return undefined;
    }
    if (blocks.length === 0)
      field.problem('certificate.invalid', 'must be one or more certificates in PEM form');
    for (const [index, block] of blocks.entries())
      checkCertificate({
        field,
        block,
        what: `certificate ${index + 1}`,
        offset: place(block.line),
        nowMs: field.nowMs,
      });
    return field.reading.problems.count === before ? blocks.map(({ pem }) => pem) : undefined;
  },
});

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
