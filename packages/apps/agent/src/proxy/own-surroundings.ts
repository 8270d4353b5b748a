import { BlockList, isIPv6 } from 'node:net';

/**
 * Addresses that mean something else here than where the caller is: this node itself, its links, groups, and the services that
 * clouds answer their machines on. A cluster does not name its nodes by them.
 */
const surroundings = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['100.100.100.200', 32], // metadata of a cloud inside an ordinary range, as are the next two
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
] as const)
  surroundings.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127], // unspecified and loopback
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
] as const)
  surroundings.addSubnet(network, prefix, 'ipv6');

/** Whether an address belongs to the surroundings of this node, and to no other node. */
export function isOwnSurrounding(address: string): boolean {
  // A zone names a link of this node.
  return address.includes('%') || surroundings.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
