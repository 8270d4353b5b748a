import { isIPv4, isIPv6 } from 'node:net';

/** Where something listens. */
export type Address = { readonly host: string; readonly port: number };

/** Reads `address:port`, an IPv6 address in brackets; undefined when it is none. Port 0 asks for a free one. */
export function parseAddress(text: string): Address | undefined {
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:[\]]+)):(?<port>\d{1,5})$/.exec(text);
  const { v6, v4 } = match?.groups ?? {};
  const port = Number(match?.groups?.['port']);
  const host = v6 ?? v4;
  if (host === undefined || port > 65_535 || !(v6 === undefined ? isIPv4(host) : isIPv6(host)))
    return undefined;
  return { host, port };
}

/** `address:port` with an IPv6 address in brackets, as {@link parseAddress} reads it. */
export function formatAddress({ host, port }: Address): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
