import { Secret } from '@nodecore/sys';

import { Authv1Error } from './errors.ts';

/** The environment variable with a service account. */
export const serviceAccountVariable = 'FLEET_SERVICE_ACCOUNT_KEY';

/** What signs as a service account. The owner disposes the key. */
export type ServiceAccount = {
  /** Identity that the calls are signed as. */
  readonly name: string;
  /** Armored private key. */
  readonly key: Secret;
};

const domain = 'serviceaccount.fleet';
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;

/** The identity of the account with this name, which is a DNS label. @throws {Authv1Error} `ERR_AUTHV1_ACCOUNT`. */
export function serviceAccountIdentity(name: string): string {
  if (!label.test(name))
    throw new Authv1Error('ERR_AUTHV1_ACCOUNT', 'names of service accounts are DNS labels: a-z, 0-9 and -');
  return `${name}@${domain}`;
}

/** Base64 of `{"name", "pgp_key"}`, as bytes: what a file or an environment variable holds. The caller disposes it. */
export function encodeServiceAccount({ name, key }: ServiceAccount): Secret {
  // JSON of an armored text: only its line ends are written in another way.
  const head = Buffer.from(`{"name":${JSON.stringify(name)},"pgp_key":"`);
  const tail = Buffer.from('"}');
  const lines = key.bytes.filter((byte) => byte === 0x0a).length;
  using json = Secret.zeros(head.length + key.sizeBytes + lines + tail.length);
  json.bytes.set(head);
  let place = head.length;
  for (const byte of key.bytes) {
    if (byte === 0x0a) json.bytes[place++] = 0x5c;
    json.bytes[place++] = byte === 0x0a ? 0x6e : byte;
  }
  json.bytes.set(tail, place);
  const text = Secret.zeros(Math.ceil(json.sizeBytes / 3) * 4);
  text.bytes.write(json.bytes.toString('base64'), 'latin1'); // the one string: what is made is text by its nature
  return text;
}

/** Reads it. The caller disposes the key. @throws {Authv1Error} `ERR_AUTHV1_ACCOUNT`. */
export function decodeServiceAccount(text: string): ServiceAccount {
  const refusal = new Authv1Error(
    'ERR_AUTHV1_ACCOUNT',
    `${serviceAccountVariable} is not the text of a service account`,
  );
  if (text.length > 64 * 1024) throw refusal;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text.trim(), 'base64').toString('utf8'));
  } catch {
    throw refusal;
  }
  if (typeof parsed !== 'object' || parsed === null || !('name' in parsed) || !('pgp_key' in parsed))
    throw refusal;
  const { name, pgp_key: key } = parsed;
  if (typeof name !== 'string' || name === '' || typeof key !== 'string') throw refusal;
  return { name, key: Secret.take(Buffer.from(key)) };
}
