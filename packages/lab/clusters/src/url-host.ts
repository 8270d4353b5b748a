import { isIPv6 } from 'node:net';

/** An address as URLs have it: one of IPv6 in brackets. */
export function urlHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
