import { builtin } from '@nodecore/sys/pure';

import { KmsEndpointError } from './errors.ts';

const net = builtin('node:net');

/** Where a key server listens. */
export type Endpoint = {
  readonly scheme: 'grpc' | 'grpcs' | 'https';
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Every scheme but `grpc`, which is plaintext. */
  readonly tls: boolean;
  /** What was parsed, for messages. */
  readonly text: string;
};

/** What the public protocol connects to when nothing is said, whatever the scheme. */
const defaultPort = 443;
/** A name has at most 253 characters (RFC 1035), the rest is scheme and port. */
const longest = 280;

/**
 * Reads `[scheme://]host[:port]` with the schemes grpc (plaintext, also when there is none), grpcs and https (TLS).
 *
 * @example
 * const { host, port, tls } = parseEndpoint('grpcs://keys.example.org:4050');
 *
 * @throws {KmsEndpointError} `ERR_KMS_ENDPOINT` with the column of the first character that can't be.
 */
export function parseEndpoint(text: string): Endpoint {
  if (text.length > longest) throw problem(text, longest + 1, `longer than ${longest} characters`);
  const strange = /[^\x21-\x7e]/u.exec(text);
  if (strange !== null) throw problem(text, strange.index + 1, 'only visible ASCII characters are possible');
  const { scheme, rest, at } = splitScheme(text);
  const end = /[/?#@]/.exec(rest);
  if (end !== null) throw problem(text, at + end.index + 1, `${parts[end[0]]} is not possible`);
  const { host, portAt } = rest.startsWith('[') ? bracketed(text, rest, at) : named(text, rest, at);
  const port = portAt === undefined ? defaultPort : portOf(text, portAt);
  return { scheme, host, port, tls: scheme !== 'grpc', text };
}

/** `scheme://host:port`, with brackets where they are needed. */
export function formatEndpoint({ scheme, host, port }: Omit<Endpoint, 'text' | 'tls'>): string {
  return `${scheme}://${net().isIPv6(host) ? `[${host}]` : host}:${port}`;
}

const parts: Readonly<Record<string, string>> = {
  '/': 'a path',
  '?': 'a query',
  '#': 'a fragment',
  '@': 'a user',
};

type Scheme = Endpoint['scheme'];

function splitScheme(text: string): { scheme: Scheme; rest: string; at: number } {
  const end = text.indexOf('://');
  if (end === -1) return { scheme: 'grpc', rest: text, at: 0 };
  const scheme = text.slice(0, end).toLowerCase();
  if (scheme !== 'grpc' && scheme !== 'grpcs' && scheme !== 'https')
    throw problem(text, 1, 'the scheme must be grpc, grpcs or https');
  return { scheme, rest: text.slice(end + 3), at: end + 3 };
}

function bracketed(text: string, rest: string, at: number): { host: string; portAt: number | undefined } {
  const close = rest.indexOf(']');
  if (close === -1) throw problem(text, at + 1, 'the bracket is never closed');
  const host = rest.slice(1, close);
  if (!net().isIPv6(host)) throw problem(text, at + 2, 'only an IPv6 address stands in brackets');
  return { host, portAt: afterHost(text, rest, at, close + 1) };
}

function named(text: string, rest: string, at: number): { host: string; portAt: number | undefined } {
  if (net().isIPv6(rest)) throw problem(text, at + 1, 'an IPv6 address must stand in brackets');
  const length = /^[^:]*/.exec(rest)?.[0].length ?? 0;
  const host = rest.slice(0, length);
  if (host === '') throw problem(text, at + 1, 'the host is missing');
  const wrong = wrongIn(host);
  if (wrong !== undefined) throw problem(text, at + wrong + 1, 'no name and no address of a host');
  return { host, portAt: afterHost(text, rest, at, length) };
}

function afterHost(text: string, rest: string, at: number, end: number): number | undefined {
  if (end === rest.length) return undefined;
  if (rest[end] !== ':') throw problem(text, at + end + 1, 'a colon and a port must follow');
  return at + end + 1;
}

/** Index of what makes a name impossible; undefined when nothing does. */
function wrongIn(host: string): number | undefined {
  const strange = /[^a-z0-9._-]/i.exec(host);
  if (strange !== null) return strange.index;
  if (net().isIPv4(host)) return undefined;
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (name.length > 253) return 253;
  let at = 0;
  for (const label of name.split('.')) {
    if (!/^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i.test(label)) return at;
    at += label.length + 1;
  }
  // Resolvers read 10.1 and 256.0.0.1 as addresses, each in its own way.
  const last = name.lastIndexOf('.') + 1;
  return /^\d+$|^0x[\da-f]*$/i.test(name.slice(last)) ? 0 : undefined;
}

function portOf(text: string, at: number): number {
  const digits = text.slice(at);
  const port = Number(digits);
  if (!/^[1-9]\d{0,4}$/.test(digits) || port > 65_535)
    throw problem(text, at + 1, 'the port must be a number from 1 to 65535');
  return port;
}

function problem(text: string, column: number, message: string): KmsEndpointError {
  return new KmsEndpointError(shown(text), column, message);
}

/** A user and password are not ours to repeat, nor is half a megabyte. */
function shown(text: string): string {
  const short = text.length > longest ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short.replace(/(?<=^|:\/\/)[^/]*@/, '…@'));
}
