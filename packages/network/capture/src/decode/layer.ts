import type { Dhcp } from './application/dhcp.ts';
import type { Dhcpv6 } from './application/dhcpv6.ts';
import type { Dns } from './application/dns.ts';
import type { Geneve } from './application/geneve.ts';
import type { Http } from './application/http.ts';
import type { Ntp } from './application/ntp.ts';
import type { Quic } from './application/quic.ts';
import type { Tls } from './application/tls.ts';
import type { Vxlan } from './application/vxlan.ts';
import type { Wireguard } from './application/wireguard.ts';
import type { Arp } from './link/arp.ts';
import type { Cooked } from './link/cooked.ts';
import type { Ethernet, Vlan } from './link/ethernet.ts';
import type { Llc } from './link/llc.ts';
import type { Lldp } from './link/lldp.ts';
import type { Loopback } from './link/loopback.ts';
import type { Macsec } from './link/macsec.ts';
import type { Mpls } from './link/mpls.ts';
import type { Ppp, Pppoe } from './link/pppoe.ts';
import type { Stp } from './link/stp.ts';
import type { Erspan } from './network/erspan.ts';
import type { Fragment } from './network/fragment.ts';
import type { Gre } from './network/gre.ts';
import type { Icmp } from './network/icmp.ts';
import type { Icmpv6 } from './network/icmpv6.ts';
import type { Igmp } from './network/igmp.ts';
import type { Ah, Esp } from './network/ipsec.ts';
import type { Ipv4 } from './network/ipv4.ts';
import type { Ipv6Fragment, Ipv6Options, Ipv6Other, Ipv6Routing } from './network/ipv6-extension.ts';
import type { Ipv6 } from './network/ipv6.ts';
import type { Nsh } from './network/nsh.ts';
import type { Sctp } from './transport/sctp.ts';
import type { Tcp } from './transport/tcp.ts';
import type { Udp } from './transport/udp.ts';
import type { Data, Unknown } from './unknown.ts';

/** One protocol of a packet. `protocol` names it; texts in it are safe to print. */
export type Layer =
  | Ah
  | Arp
  | Cooked
  | Data
  | Dhcp
  | Dhcpv6
  | Dns
  | Erspan
  | Esp
  | Ethernet
  | Fragment
  | Geneve
  | Gre
  | Http
  | Icmp<Layer>
  | Icmpv6<Layer>
  | Igmp
  | Ipv4
  | Ipv6
  | Ipv6Fragment
  | Ipv6Options
  | Ipv6Other
  | Ipv6Routing
  | Llc
  | Lldp
  | Loopback
  | Macsec
  | Mpls
  | Nsh
  | Ntp
  | Ppp
  | Pppoe
  | Quic
  | Sctp
  | Stp
  | Tcp
  | Tls
  | Udp
  | Unknown
  | Vlan
  | Vxlan
  | Wireguard;
