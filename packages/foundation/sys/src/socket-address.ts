import { isIPv4, isIPv6 } from 'node:net';

/** Where something listens. */
export type SocketAddress = { readonly host: string; readonly port: number };

/** Reads `address:port`, an IPv6 address in brackets; undefined when it is none. Port 0 asks for a free one. */
export function parseSocketAddress(text: string): SocketAddress | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535) return undefined;
  const isSocketAddress = match?.[1] === undefined ? isIPv4(host) : isIPv6(host);
  return isSocketAddress ? { host, port } : undefined;
}

/** `address:port` with an IPv6 address in brackets, as {@link parseSocketAddress} reads it. */
export function formatSocketAddress({ host, port }: SocketAddress): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
