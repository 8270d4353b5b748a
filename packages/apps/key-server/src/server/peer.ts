import { isIPv6 } from 'node:net';

/** The address in `10.0.0.1:4711` or `[::1]:4711`, an IPv4 address in an IPv6 one as the former. */
export function addressOf(peer: string): string {
  const address = /^\[?(.*?)\]?:\d+$/.exec(peer)?.[1] ?? peer;
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Whom a limit counts as one: an IPv4 address, or the 64 bits of an IPv6 network, within which addresses are free. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
