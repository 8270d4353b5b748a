import { isIPv4 } from 'node:net';

/** Both ends of a connection, as Node.js names them. */
export type Ends = {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
};

/** No two connections that stand have the same one. Undefined when it stands no more. */
export function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Ends): string | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;
}

/**
 * Whom an address stands for: one IPv4 address, or a network of 64 bits, which is what one machine with IPv6 has of its own.
 */
export function addressGroup(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(address)) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
