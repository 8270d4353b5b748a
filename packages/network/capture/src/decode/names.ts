import { hexNumber } from './text.ts';

/** Names of numbers that several protocols share. Sources: the registries of IEEE and IANA. */

const etherTypes: ReadonlyMap<number, string> = new Map([
  [0x0800, 'IPv4'],
  [0x0806, 'ARP'],
  [0x0842, 'Wake-on-LAN'],
  [0x22f0, 'AVTP'],
  [0x22f3, 'TRILL'],
  [0x6558, 'TEB'],
  [0x8035, 'RARP'],
  [0x809b, 'AppleTalk'],
  [0x8100, '802.1Q'],
  [0x8137, 'IPX'],
  [0x86dd, 'IPv6'],
  [0x8808, 'pause'],
  [0x8809, 'LACP'],
  [0x8847, 'MPLS'],
  [0x8848, 'MPLS multicast'],
  [0x8863, 'PPPoE discovery'],
  [0x8864, 'PPPoE session'],
  [0x22eb, 'ERSPAN type III'],
  [0x888e, 'EAPOL'],
  [0x88be, 'ERSPAN'],
  [0x88a8, '802.1ad'],
  [0x88cc, 'LLDP'],
  [0x88e5, 'MACsec'],
  [0x88f7, 'PTP'],
  [0x894f, 'NSH'],
  [0x8906, 'FCoE'],
  [0x8915, 'RoCE'],
  [0x9000, 'loopback'],
]);

/** `IPv4 (0x0800)`, or the number alone. */
export function etherTypeName(etherType: number): string {
  const name = etherTypes.get(etherType);
  const number = hexNumber(etherType, 4);
  return name === undefined ? number : `${name} (${number})`;
}

const ipProtocols: ReadonlyMap<number, string> = new Map([
  [0, 'Options'],
  [1, 'ICMP'],
  [2, 'IGMP'],
  [4, 'IPIP'],
  [6, 'TCP'],
  [8, 'EGP'],
  [9, 'IGRP'],
  [17, 'UDP'],
  [33, 'DCCP'],
  [41, 'IPv6'],
  [43, 'Routing'],
  [44, 'Fragment'],
  [46, 'RSVP'],
  [47, 'GRE'],
  [50, 'ESP'],
  [51, 'AH'],
  [58, 'ICMPv6'],
  [59, 'no next header'],
  [60, 'DSTOPT'],
  [88, 'EIGRP'],
  [89, 'OSPF'],
  [94, 'IPIP'],
  [97, 'EtherIP'],
  [103, 'PIM'],
  [108, 'IPComp'],
  [112, 'VRRP'],
  [115, 'L2TP'],
  [124, 'IS-IS'],
  [132, 'SCTP'],
  [135, 'Mobility'],
  [136, 'UDP-Lite'],
  [137, 'MPLS'],
  [139, 'HIP'],
  [140, 'Shim6'],
  [143, 'Ethernet'],
]);

/** IANA's name of an IP protocol, or undefined. */
export function ipProtocolName(protocol: number): string | undefined {
  return ipProtocols.get(protocol);
}

/** `TCP (6)`, or `unknown (200)`. */
export function ipProtocolText(protocol: number): string {
  return `${ipProtocols.get(protocol) ?? 'unknown'} (${protocol})`;
}
