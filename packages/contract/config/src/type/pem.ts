import type { X509Certificate } from 'node:crypto';

import { builtin, type Secret } from '@nodecore/sys/pure';

import { object } from '../field/object.ts';
import { required, type Type } from '../field/type.ts';
import { isPemMistake, type PemBlock, splitPem } from '../pem-bundle.ts';
import { type Place } from '../place.ts';
import { privateKeyFits } from '../private-key.ts';

const crypto = builtin('node:crypto');

type BlockRules = {
  readonly code: string;
  readonly what: string;
  readonly isLabel: (label: string) => boolean;
};

/** The blocks of a PEM text, all of one kind; what is wrong is reported at its line. */
function readBlocks(
  at: Place,
  text: string,
  { code, what, isLabel }: BlockRules,
): readonly PemBlock[] | undefined {
  const place = (line: number): number => at.ahead({ line, column: 1 });
  const blocks = splitPem(text);
  if (isPemMistake(blocks)) {
    at.problem(code, blocks.message, place(blocks.line));
    return undefined;
  }
  if (blocks.length === 0) at.problem(code, `must be ${what} in PEM form`);
  const wrong = blocks.find(({ label }) => !isLabel(label));
  // The label is a text of the user, so it is not quoted: a secret may have taken its place.
  if (wrong !== undefined) at.problem(code, `holds a block that is not ${what}`, place(wrong.line));
  return blocks.length === 0 || wrong !== undefined ? undefined : blocks;
}

function readCertificates(at: Place, text: string): string | undefined {
  const rules = {
    code: 'certificate.invalid',
    what: 'a certificate',
    isLabel: (label: string) => label === 'CERTIFICATE',
  };
  const blocks = readBlocks(at, text, rules);
  for (const { pem, line } of blocks ?? []) {
    const offset = at.ahead({ line, column: 1 });
    const certificate = certificateOf(pem);
    if (certificate === undefined) {
      at.problem('certificate.invalid', 'is not a certificate that can be read', offset);
      return undefined;
    }
    if (certificate.validToDate.getTime() <= (at.reading.nowMs ?? Date.now()))
      at.warning('certificate.expired', `expired on ${certificate.validToDate.toISOString()}`, offset);
  }
  return blocks?.map(({ pem }) => pem).join('');
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new (crypto().X509Certificate)(pem);
  } catch {
    return undefined; // the library's error would say nothing more
  }
}

/** One certificate or more, in PEM. */
export const certificates: Type<string> = {
  json: { type: 'string', minLength: 1 },
  says: 'certificates in PEM',
  read: (at) => {
    const text = at.text();
    return text === undefined ? at.wrongType('a text in PEM form') : readCertificates(at, text);
  },
};

/** A private key, in PEM. */
export const privateKey: Type<Secret> = {
  json: { type: 'string', minLength: 1, writeOnly: true },
  says: 'private key in PEM',
  secret: 'always',
  read: (at) => {
    const text = at.text();
    if (text === undefined) return at.wrongType('a text in PEM form');
    const rules = {
      code: 'private_key.invalid',
      what: 'a private key',
      isLabel: (label: string) => label.endsWith('PRIVATE KEY'),
    };
    const blocks = readBlocks(at, text, rules);
    if (blocks === undefined) return undefined;
    if (blocks.length === 1) return at.keep(blocks[0]?.pem ?? '');
    at.problem('private_key.invalid', 'must be one key');
    return undefined;
  },
};

/** A certificate and its key; they belong together. */
export const identity: Type<{ readonly cert: string; readonly key: Secret }> = object(
  {
    cert: required('the certificate, in PEM', certificates),
    key: required('its private key, in PEM', privateKey),
  },
  { check: checkPair },
);

/** A certificate that issues others, and its key. */
export const authority: Type<{ readonly cert: string; readonly key: Secret }> = object(
  {
    cert: required('the certificate of the authority, in PEM', certificates),
    key: required('its private key, in PEM', privateKey),
  },
  {
    check: (pair, at) => {
      checkPair(pair, at);
      if (certificateOf(pair.cert)?.ca !== true)
        at.at('cert').problem('certificate.not_ca', 'this certificate is not an authority (CA)');
    },
  },
);

function checkPair({ cert, key }: { readonly cert: string; readonly key: Secret }, at: Place): void {
  const fits = privateKeyFits(Buffer.from(key.bytes), cert);
  if (fits === 'invalid')
    at.at('key').problem('private_key.invalid', 'is not a private key that can be read');
  if (fits === 'other')
    at.at('key').problem('private_key.mismatch', 'this key does not belong to the certificate in cert');
}
