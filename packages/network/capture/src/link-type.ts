/** Numbers of the tcpdump group's registry of link types, as pcap and pcapng files carry them. */
export const linkTypes = {
  ethernet: 1,
  rawIp: 101,
  sll2: 276,
} as const;

export type LinkType = (typeof linkTypes)[keyof typeof linkTypes];

// linux/if_arp.h
const ARPHRD_ETHER = 1;
const ARPHRD_TUNNEL = 768;
const ARPHRD_TUNNEL6 = 769;
const ARPHRD_LOOPBACK = 772;
const ARPHRD_SIT = 776;
const ARPHRD_NONE = 0xfffe;

const byHardwareType: ReadonlyMap<number, LinkType> = new Map([
  [ARPHRD_ETHER, linkTypes.ethernet],
  // An Ethernet header with zeros for addresses.
  [ARPHRD_LOOPBACK, linkTypes.ethernet],
  // tun, WireGuard and tunnels have no link layer: the packet begins with IP.
  [ARPHRD_NONE, linkTypes.rawIp],
  [ARPHRD_TUNNEL, linkTypes.rawIp],
  [ARPHRD_TUNNEL6, linkTypes.rawIp],
  [ARPHRD_SIT, linkTypes.rawIp],
]);

/** The link type of a hardware type (ARPHRD_…). Where it has no link type of its own, the kernel's cooked header. */
export function linkTypeOf(hardwareType: number): LinkType {
  return byHardwareType.get(hardwareType) ?? linkTypes.sll2;
}
