import { isIPv6 } from 'node:net';

/** Where the API of a node listens unless it is told otherwise. */
export const defaultPort = 50000;

export type Endpoint = {
  /** Name or address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
};

/**
 * Reads `host`, `host:port`, `10.0.0.1`, `::1`, `[::1]:50000` or a URL. Without a port it is 50000, for https:// it is 443.
 * Throws a `TypeError` for anything else.
 */
export function parseEndpoint(text: string): Endpoint {
  if (isIPv6(text)) return { host: text, port: defaultPort };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const authority = scheme === undefined ? text : text.slice(scheme.length + 3).replace(/\/.*$/, '');
  const match = /^(?:\[([^\]]+)\]|([^:[\]/\s]+))(?::(\d+))?$/.exec(authority);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? (scheme === 'https' ? 443 : defaultPort) : Number(match[3]);
  if (host === undefined || (match?.[1] !== undefined && !isIPv6(host)) || port < 1 || port > 65535)
    throw new TypeError(`${JSON.stringify(text)} is no endpoint: expected host, host:port or [IPv6]:port`);
  return { host, port };
}

/** `host:port`, with brackets where they are needed. */
export function formatEndpoint({ host, port }: Endpoint): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
