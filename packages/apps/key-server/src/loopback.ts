import { BlockList, isIPv4, isIPv6 } from 'node:net';

import type { SocketAddress } from '@nodecore/sys';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine can connect there. A name is not looked at: it could become another address. */
export function isLoopback({ host }: SocketAddress): boolean {
  if (isIPv4(host)) return loopback.check(host, 'ipv4');
  return isIPv6(host) && loopback.check(host, 'ipv6');
}
