/** Names of the values that filters ask for most (IANA's registries of EtherTypes and protocol numbers). */
export const etherTypes: ReadonlyMap<number, string> = new Map([
  [0x0800, 'IPv4'],
  [0x0806, 'ARP'],
  [0x8035, 'RARP'],
  [0x8100, 'VLAN (802.1Q)'],
  [0x86dd, 'IPv6'],
  [0x8847, 'MPLS'],
  [0x8848, 'MPLS multicast'],
  [0x8863, 'PPPoE discovery'],
  [0x8864, 'PPPoE session'],
  [0x88a8, 'VLAN (802.1ad)'],
  [0x88cc, 'LLDP'],
  [0x9100, 'VLAN (QinQ)'],
]);

/** Names that explanations use for protocols of IP, by their numbers. */
export const ipProtocols: ReadonlyMap<number, string> = new Map([
  [0, 'hop-by-hop options'],
  [1, 'ICMP'],
  [2, 'IGMP'],
  [4, 'IPv4'],
  [6, 'TCP'],
  [17, 'UDP'],
  [41, 'IPv6'],
  [44, 'a fragment'],
  [47, 'GRE'],
  [50, 'ESP'],
  [51, 'AH'],
  [58, 'ICMPv6'],
  [89, 'OSPF'],
  [103, 'PIM'],
  [112, 'VRRP'],
  [132, 'SCTP'],
]);

/** Names of the kernel's packet types, by their numbers (`linux/if_packet.h`). */
export const packetTypes: ReadonlyMap<number, string> = new Map([
  [0, 'to this host'],
  [1, 'broadcast'],
  [2, 'multicast'],
  [3, 'to another host'],
  [4, 'outgoing'],
]);

/** By bit, of the TCP header's byte 13. */
export const tcpFlags: readonly string[] = ['FIN', 'SYN', 'RST', 'PSH', 'ACK', 'URG', 'ECE', 'CWR'];
