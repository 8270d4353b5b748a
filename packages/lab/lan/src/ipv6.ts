import { parseAddress, parsePrefix } from '@nodecore/sys';

import { networkOf, parseCidr } from './cidr.ts';

/** What is behind the prefix of a network: RFC 4291 has no other for networks of cards. */
const hostBits = 64n;

/** The unique local prefix of 64 bits that goes with an IPv4 network, without its `::`. */
export function ulaPrefix(cidr: string): string {
  const parsed = parseCidr(cidr);
  if (parsed === undefined) throw new TypeError(`${cidr} is no IPv4 network`);
  const number = networkOf(parsed.address, parsed.length);
  const groups = [number >>> 16, number & 0xffff].map((group) => group.toString(16));
  return `fd6f:7300:${groups.join(':')}`;
}

/** A network of 64 bits such as `fd00:1::/64`, in its shortest form; undefined when the text is none. */
export function parseCidr6(text: string): string | undefined {
  const prefix = parsePrefix(text);
  if (prefix?.address.family !== 'ipv6' || prefix.bits !== 64) return undefined;
  return `${ipv6Text((prefix.address.value >> hostBits) << hostBits)}/64`;
}

/** The n-th address of an IPv6 network; 0 is the network itself. */
export function hostAddress6(cidr: string, index: number): string {
  const value = parsePrefix(cidr)?.address.value ?? 0n;
  return ipv6Text(((value >> hostBits) << hostBits) + BigInt(index));
}

/** Whether an address is of an IPv6 network. */
export function isInside6(cidr: string, text: string): boolean {
  const address = parseAddress(text);
  const network = parsePrefix(cidr)?.address;
  return (
    address?.family === 'ipv6' &&
    network !== undefined &&
    address.value >> hostBits === network.value >> hostBits
  );
}

/** The name under which the name of an address of either family is asked for. */
export function reverseName(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw new TypeError(`${text} is no address`);
  if (address.family === 'ipv4') return `${text.split('.').toReversed().join('.')}.in-addr.arpa`;
  return `${address.value.toString(16).padStart(32, '0').split('').toReversed().join('.')}.ip6.arpa`;
}

/** As RFC 5952 has it, and URLs do. */
function ipv6Text(value: bigint): string {
  const groups = value.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}
