import { etherTypes, ipProtocols } from './protocol-names.ts';

/** How the bytes of a field are shown. */
export type Shows =
  | 'number'
  | 'hexadecimal'
  | 'ethernet address'
  | 'IPv4 address'
  | 'IPv6 address'
  | 'tcp flags'
  | ReadonlyMap<number, string>;

/** A field of a header: where it begins in it, in bytes, and how long it is. */
export type Field = {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly shows: Shows;
};

function field(name: string, offset: number, size: number, shows: Shows = 'number'): Field {
  return { name, offset, size, shows };
}

/** Every packet of link type RAW begins with it. */
export const versionField = 'ip version and header length';

/** Fields of a packet without a link header. */
export const raw: readonly Field[] = [field(versionField, 0, 1, 'hexadecimal')];

/** BSD's loopback: the address family, in the byte order of either machine. */
export const loopback: readonly Field[] = [field('address family', 0, 4, families())];

function families(): Shows {
  const numbers = [2, 10, 24, 28, 30].map((family): [number, string] => [
    family,
    family === 2 ? 'IPv4' : 'IPv6',
  ]);
  return new Map([
    ...numbers,
    ...numbers.map(([family, name]): [number, string] => [(family << 24) >>> 0, name]),
  ]);
}

/** Fields of an Ethernet frame, from its first byte. */
export const ethernet: readonly Field[] = [
  field('ethernet destination', 0, 6, 'ethernet address'),
  field('ethernet source', 6, 6, 'ethernet address'),
  field('ether type', 12, 2, etherTypes),
];

/** Of LINKTYPE_LINUX_SLL2. */
export const cooked: readonly Field[] = [
  field('ether type', 0, 2, etherTypes),
  field('interface index', 4, 4),
  field('hardware type', 8, 2),
  field('packet type', 10, 1),
];

/** Of LINKTYPE_LINUX_SLL. */
export const oldCooked: readonly Field[] = [
  field('packet type', 0, 2),
  field('hardware type', 2, 2),
  field('ether type', 14, 2, etherTypes),
];

/** Fields of a VLAN tag. */
export const vlan: readonly Field[] = [
  field('VLAN tag', 0, 2, 'hexadecimal'),
  field('ether type', 2, 2, etherTypes),
];

/** Fields of ARP over Ethernet, for IPv4. */
export const arp: readonly Field[] = [
  field('arp operation', 6, 2),
  field('arp sender ethernet address', 8, 6, 'ethernet address'),
  field('arp sender address', 14, 4, 'IPv4 address'),
  field('arp target ethernet address', 18, 6, 'ethernet address'),
  field('arp target address', 24, 4, 'IPv4 address'),
];

/** Fields of the header of IPv4. */
export const ipv4: readonly Field[] = [
  field(versionField, 0, 1, 'hexadecimal'),
  field('ip type of service', 1, 1, 'hexadecimal'),
  field('ip length', 2, 2),
  field('ip identification', 4, 2),
  field('ip flags and fragment offset', 6, 2, 'hexadecimal'),
  field('ip time to live', 8, 1),
  field('ip protocol', 9, 1, ipProtocols),
  field('ip checksum', 10, 2, 'hexadecimal'),
  field('ip source', 12, 4, 'IPv4 address'),
  field('ip destination', 16, 4, 'IPv4 address'),
];

/** Fields of the header of IPv6. */
export const ipv6: readonly Field[] = [
  field('ip6 version, class and flow', 0, 4, 'hexadecimal'),
  field('ip6 payload length', 4, 2),
  field('ip6 next header', 6, 1, ipProtocols),
  field('ip6 hop limit', 7, 1),
  field('ip6 source', 8, 16, 'IPv6 address'),
  field('ip6 destination', 24, 16, 'IPv6 address'),
];

/** What TCP, UDP and SCTP begin with. */
export const ports: readonly Field[] = [field('source port', 0, 2), field('destination port', 2, 2)];

/** Fields of the header of TCP. */
export const tcp: readonly Field[] = [
  field('tcp source port', 0, 2),
  field('tcp destination port', 2, 2),
  field('tcp sequence number', 4, 4),
  field('tcp acknowledgement number', 8, 4),
  field('tcp flags', 13, 1, 'tcp flags'),
  field('tcp window', 14, 2),
];

/** Fields of the header of UDP. */
export const udp: readonly Field[] = [
  field('udp source port', 0, 2),
  field('udp destination port', 2, 2),
  field('udp length', 4, 2),
];

/** Behind an IPv6 header whose next header is a fragment. */
export const fragment: readonly Field[] = [field('next header of the fragment', 0, 1, ipProtocols)];

/** Fields of the header of ICMP. */
export const icmp: readonly Field[] = [field('icmp type', 0, 1), field('icmp code', 1, 1)];
/** Fields of the header of ICMPv6. */
export const icmp6: readonly Field[] = [field('icmp6 type', 0, 1), field('icmp6 code', 1, 1)];
