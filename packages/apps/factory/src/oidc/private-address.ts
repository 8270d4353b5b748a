import { BlockList, isIPv6 } from 'node:net';

/** Addresses that nobody in the internet has: this machine, its networks, groups, and the services that clouds answer their machines on. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // of a cloud, inside an ordinary range
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96], // unspecified, loopback, and IPv4 as it was once written
  ['64:ff9b::', 96], // any IPv4 address behind a translator
  ['64:ff9b:1::', 48],
  ['2002::', 16], // any IPv4 address in a tunnel
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6');

/** Whether an address, as IPv4 or IPv6 has it, is not one of the internet. */
export function isPrivateAddress(address: string): boolean {
  // A zone names a link of this machine.
  return address.includes('%') || privateNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
