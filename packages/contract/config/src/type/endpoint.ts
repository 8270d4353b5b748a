import { parseAddress } from '@nodecore/sys/pure';

import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** A host by name or address, and a port. */
export type HostPort = { readonly text: string; readonly host: string; readonly port: number };

/** Labels of letters, digits and hyphens, 253 characters at most. */
export const hostPattern: RegExp =
  /^(?=.{1,253}$)(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)*[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/u;

/** Whether a text is the name of a host, or an address. */
export function isHost(text: string): boolean {
  return parseAddress(text) !== undefined || (hostPattern.test(text) && !/^[\d.]+$/u.test(text));
}

/** The name of a host, or its address. */
export const host: Type<string> = parsed('a host', {
  json: { minLength: 1, maxLength: 253 },
  parse: (text) =>
    isHost(text) ? text : new Mistake('host.invalid', 'must be a host name or an IP address'),
});

const invalid = new Mistake('endpoint.invalid', 'must be host:port, such as 10.0.0.1:443 or [fd00::1]:443');

/** `host:port`; undefined for anything else. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/u.exec(text) ?? [];
  const port = Number(digits);
  const name = bracketed ?? plain ?? '';
  const isRight = bracketed === undefined ? isHost(name) : parseAddress(name)?.family === 'ipv6';
  return isRight && port >= 1 && port <= 65_535 ? { text, host: name, port } : undefined;
}

/** `host:port`; an IPv6 address in brackets. */
export const hostPort: Type<HostPort> = parsed('host:port', {
  json: { pattern: String.raw`^.+:[0-9]{1,5}$` },
  parse: (text) => parseHostPort(text) ?? invalid,
});

/** `address:port`, an IPv6 address in brackets. */
export const addressPort: Type<HostPort> = parsed('address:port', {
  json: { pattern: String.raw`^[0-9A-Fa-f:.\[\]]+:[0-9]{1,5}$` },
  parse: (text) => {
    const found = parseHostPort(text);
    return found !== undefined && parseAddress(found.host) !== undefined
      ? found
      : new Mistake('endpoint.address', 'must be address:port, such as 10.0.0.1:443 or [fd00::1]:443');
  },
});

/** The name of a host, and no address. */
export const hostName: Type<string> = parsed('a host name', {
  json: { minLength: 1, maxLength: 253 },
  parse: (text) =>
    isHost(text) && parseAddress(text) === undefined
      ? text
      : new Mistake('host.name', 'must be a name of letters, digits, hyphens and dots'),
});
