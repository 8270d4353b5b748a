import type { X509Certificate } from 'node:crypto';

import { builtin, type Secret } from '@nodecore/sys/pure';

import { object } from './field/object.ts';
import { anyText, hiddenText } from './field/shape.ts';
import { optional, required, type Type } from './field/type.ts';
import { type Place } from './place.ts';
import { readPem } from './pem-field.ts';
import { privateKeyFits } from './private-key.ts';

const crypto = builtin('node:crypto');

/** A certificate of an authority, in PEM; a mistake is reported and reads as missing. */
export const certificate: Type<string> = {
  ...anyText,
  read: (at) => (anyText.read(at) === undefined ? undefined : readCertificate(at)),
};

const shape = object({
  crt: required('PEM certificate in base64', anyText),
  key: required('PEM private key in base64', hiddenText),
});

/** PEM, both. The key belongs to the vault. */
export type Authority = { readonly crt: string; readonly key: Secret };

/** A certificate that issues others, with its key. */
export const authority: Type<Authority> = {
  ...shape,
  read: (at) => {
    shape.read(at);
    return readAuthority(at);
  },
};

const rootShape = object({
  crt: required('PEM certificate in base64', anyText),
  key: optional('PEM private key in base64; a control plane has it, a worker has none', hiddenText),
});

/** As {@link Authority}; a worker has no key of it. */
export type RootAuthority = { readonly crt: string; readonly key?: Secret };

/** The authority of the machine's cluster. An empty key is none. */
export const rootAuthority: Type<RootAuthority> = {
  ...rootShape,
  read: (at) => {
    rootShape.read(at);
    if (hasKey(at)) return readAuthority(at);
    const crt = readCertificate(at.get('crt'));
    return crt === undefined ? undefined : { crt };
  },
};

/** Whether the authority has a key. */
export function hasKey(ca: Place): boolean {
  const key = ca.get('key');
  return key !== undefined && key.text() !== '';
}

function readAuthority(ca: Place): Authority | undefined {
  const crt = readCertificate(ca.get('crt'));
  const key = readPem(ca.get('key'), 'private_key.invalid', 'a private key');
  if (key !== undefined) {
    const fits = crt === undefined ? 'fits' : privateKeyFits(key, crt);
    if (fits === 'invalid') ca.problemAt('key', 'private_key.invalid', 'not a private key that can be read');
    if (fits === 'other')
      ca.problemAt('key', 'private_key.mismatch', 'this key does not belong to the certificate in crt');
  }
  if (crt !== undefined && key !== undefined) return { crt, key: ca.vault.keepBytes(key) };
  key?.fill(0);
  return undefined;
}

function readCertificate(field: Place | undefined): string | undefined {
  const pem = readPem(field, 'certificate.invalid', 'a certificate')?.toString('utf8');
  if (field === undefined || pem === undefined) return undefined;
  const read = parseCertificate(pem);
  if (read === undefined) {
    field.problem('certificate.invalid', 'not a certificate that can be read');
    return undefined;
  }
  if (!read.ca) field.problem('certificate.not_ca', 'this certificate is not an authority (CA)');
  if (read.validToDate.getTime() <= field.nowMs) {
    field.warning('certificate.expired', `this certificate expired on ${read.validToDate.toISOString()}`);
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
