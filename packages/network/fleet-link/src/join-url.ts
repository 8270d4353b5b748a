import { parseFingerprint } from '@nodecore/pki';
import { Secret } from '@nodecore/sys';

import { LinkError } from './errors.ts';

/** Where the fleet is, what lets a machine join, and by what the machine knows the fleet. The holder disposes the token. */
export type JoinUrl = {
  readonly host: string;
  readonly port: number;
  readonly joinToken: Secret | undefined;
  /** SHA-256 of a public key: the server's own, or that of the authority of its certificate. Public roots without it. */
  readonly pin: Buffer | undefined;
};

/** Longer ones are a mistake. */
const maxUrlLength = 2048;
/** Base62 and what v1: and v2: tokens have beside it. */
const token = /^[\w+/=:.~-]{8,1024}$/u;

/**
 * Reads `https://HOST[:PORT]/?jointoken=TOKEN[&fleetca=sha256:HEX]`; `grpc://` means the same. Other parameters are ignored.
 *
 * @throws {LinkError} `ERR_LINK_URL`; the message never has the text: there is a token in it.
 */
export function parseJoinUrl(text: string): JoinUrl {
  const url = URL.canParse(text) && text.length <= maxUrlLength ? new URL(text) : undefined;
  const scheme = /^(?:https|grpc):\/\//iu.test(text);
  // An unknown scheme has no default port and keeps its host as it is: read it as https.
  const read = url && scheme ? new URL(text.replace(/^grpc:/iu, 'https:')) : undefined;
  if (read === undefined || read.hostname === '') throw wrong('not https://HOST[:PORT]/?jointoken=…');
  if (read.username !== '' || read.password !== '') throw wrong('a user name has no meaning in it');
  const joinToken = read.searchParams.get('jointoken');
  if (joinToken !== null && !token.test(joinToken)) throw wrong('the join token is not one');
  return {
    host: read.hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: read.port === '' ? 443 : Number(read.port),
    joinToken: joinToken === null ? undefined : Secret.take(Buffer.from(joinToken)),
    pin: pinOf(read.searchParams.get('fleetca')),
  };
}

function pinOf(text: string | null): Buffer | undefined {
  if (text === null) return undefined;
  if (!/^sha256:[0-9a-f]{64}$/iu.test(text)) throw wrong('fleetca is not sha256: and 64 hexadecimal digits');
  return parseFingerprint(text.slice('sha256:'.length));
}

function wrong(reason: string): LinkError {
  return new LinkError('ERR_LINK_URL', `join URL: ${reason}`);
}
