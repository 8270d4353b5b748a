import { dhcpLine } from './application/dhcp.ts';
import { dhcpv6Line } from './application/dhcpv6.ts';
import { dnsLine } from './application/dns-line.ts';
import { geneveLine } from './application/geneve.ts';
import { httpLine } from './application/http.ts';
import { ntpLine } from './application/ntp.ts';
import { quicLine } from './application/quic.ts';
import { tlsLine } from './application/tls-line.ts';
import { vxlanLine } from './application/vxlan.ts';
import { wireguardLine } from './application/wireguard.ts';
import type { Layer } from './layer.ts';
import type { LineOptions } from './line-options.ts';
import { arpLine } from './link/arp.ts';
import { cookedLine } from './link/cooked.ts';
import { ethernetLine, vlanLine } from './link/ethernet.ts';
import { llcLine } from './link/llc.ts';
import { lldpLine } from './link/lldp.ts';
import { loopbackLine } from './link/loopback.ts';
import { macsecLine } from './link/macsec.ts';
import { mplsLine } from './link/mpls.ts';
import { pppLine, pppoeLine } from './link/pppoe.ts';
import { stpLine } from './link/stp.ts';
import { erspanLine } from './network/erspan.ts';
import { fragmentLine } from './network/fragment.ts';
import { greLine } from './network/gre.ts';
import { icmpLine } from './network/icmp-line.ts';
import { icmpv6Line } from './network/icmpv6-line.ts';
import { igmpLine } from './network/igmp.ts';
import { ahLine, espLine } from './network/ipsec.ts';
import {
  ipv6FragmentLine,
  ipv6OptionsLine,
  ipv6OtherLine,
  ipv6RoutingLine,
} from './network/ipv6-extension-line.ts';
import { nshLine } from './network/nsh.ts';
import { sctpLine } from './transport/sctp.ts';
import { tcpLine } from './transport/tcp-line.ts';
import { udpLine } from './transport/udp.ts';
import { unknownLine } from './unknown.ts';

/** One layer in words, IP's own excepted, whose ends carry the ports of the next. */
export function layerLine(layer: Layer, next: Layer | undefined, options: LineOptions): string {
  const verbose = options.verbose ?? 0;
  switch (layer.protocol) {
    case 'tcp':
      return tcpLine(layer, verbose);
    case 'udp':
    case 'udp-lite':
      return udpLine(layer, verbose, next !== undefined);
    case 'ethernet':
      return ethernetLine(layer);
    case 'vlan':
      return vlanLine(layer);
    case 'sll':
    case 'sll2':
      return cookedLine(layer, options);
    case 'null':
      return loopbackLine(layer);
    case 'llc':
      return llcLine(layer);
    case 'stp':
      return stpLine(layer, verbose);
    case 'lldp':
      return lldpLine(layer, verbose);
    case 'arp':
      return arpLine(layer, verbose);
    case 'mpls':
      return mplsLine(layer);
    case 'pppoe':
      return pppoeLine(layer);
    case 'ppp':
      return pppLine(layer);
    case 'ipv4':
    case 'ipv6':
      return '';
    case 'ipv6-hop-by-hop':
    case 'ipv6-destination':
      return ipv6OptionsLine(layer, verbose);
    case 'ipv6-routing':
      return ipv6RoutingLine(layer);
    case 'ipv6-fragment':
      return ipv6FragmentLine(layer, verbose);
    case 'ipv6-extension':
      return ipv6OtherLine(layer);
    case 'fragment':
      return fragmentLine(layer);
    case 'icmp':
      return icmpLine(layer, verbose);
    case 'icmpv6':
      return icmpv6Line(layer, verbose);
    case 'igmp':
      return igmpLine(layer);
    case 'gre':
      return greLine(layer);
    case 'erspan':
      return erspanLine(layer);
    case 'nsh':
      return nshLine(layer);
    case 'macsec':
      return macsecLine(layer);
    case 'esp':
      return espLine(layer);
    case 'ah':
      return ahLine(layer);
    case 'sctp':
      return sctpLine(layer, verbose);
    case 'dns':
    case 'mdns':
      return dnsLine(layer, verbose);
    case 'dhcp':
      return dhcpLine(layer, verbose);
    case 'dhcpv6':
      return dhcpv6Line(layer, verbose);
    case 'ntp':
      return ntpLine(layer, verbose);
    case 'http':
      return httpLine(layer, verbose);
    case 'tls':
      return tlsLine(layer, verbose);
    case 'quic':
      return quicLine(layer);
    case 'vxlan':
      return vxlanLine(layer);
    case 'geneve':
      return geneveLine(layer, verbose);
    case 'wireguard':
      return wireguardLine(layer);
    case 'unknown':
      return unknownLine(layer);
    case 'data':
      break;
  }
  return `data, length ${layer.length}`;
}
