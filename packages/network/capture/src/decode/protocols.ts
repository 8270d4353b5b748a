import type { Dissection, Protocol, Table } from './dissection.ts';
import { readArp } from './link/arp.ts';
import { readSll, readSll2 } from './link/cooked.ts';
import { readEthernet, readVlan } from './link/ethernet.ts';
import { readLlc } from './link/llc.ts';
import { readLldp } from './link/lldp.ts';
import { readLoopback } from './link/loopback.ts';
import { readMacsec } from './link/macsec.ts';
import { readMpls } from './link/mpls.ts';
import { readPpp, readPppoe } from './link/pppoe.ts';
import { readStp } from './link/stp.ts';
import { readErspan3 } from './network/erspan.ts';
import { readGre } from './network/gre.ts';
import { readIcmp } from './network/icmp.ts';
import { readIcmpv6 } from './network/icmpv6.ts';
import { readIgmp } from './network/igmp.ts';
import { readAh, readEsp } from './network/ipsec.ts';
import { readIpv4 } from './network/ipv4.ts';
import {
  readDestination,
  readFragment,
  readHopByHop,
  readOther,
  readRouting,
} from './network/ipv6-extension.ts';
import { readIpv6 } from './network/ipv6.ts';
import { readNsh } from './network/nsh.ts';
import { overTcp, overUdp } from './ports.ts';
import type { Layer } from './layer.ts';
import type { Reader } from './reader.ts';
import { readSctp } from './transport/sctp.ts';
import { readTcp } from './transport/tcp.ts';
import { readUdp, readUdpLite } from './transport/udp.ts';
import { readData, readUnknown } from './unknown.ts';

const ethernet: Protocol<Layer> = { name: 'ethernet', dissect: readEthernet };
const ipv4: Protocol<Layer> = { name: 'ipv4', dissect: readIpv4 };
const ipv6: Protocol<Layer> = { name: 'ipv6', dissect: readIpv6 };
const llc: Protocol<Layer> = { name: 'llc', dissect: readLlc };
const ppp: Protocol<Layer> = { name: 'ppp', dissect: readPpp };
const vlan: Protocol<Layer> = { name: 'vlan', dissect: readVlan };
const mpls: Protocol<Layer> = { name: 'mpls', dissect: readMpls };
const data: Protocol<Layer> = { name: 'data', dissect: readData };
/** A raw packet: the version in the first half byte tells. */
const ip: Protocol<Layer> = {
  name: 'ip',
  dissect: (bytes, packet) => {
    const version = (bytes.peek() ?? 0) >> 4;
    if (bytes.left === 0) bytes.need(1);
    else if (version === 4) packet.next('etherType', 0x0800, bytes);
    else if (version === 6) packet.next('etherType', 0x86dd, bytes);
    else packet.next('none', 0, bytes);
  },
};

const linkTypes: ReadonlyMap<number, Protocol<Layer>> = new Map([
  [0, { name: 'null', dissect: readLoopback }],
  [1, ethernet],
  [12, ip], // LINKTYPE_RAW as some systems number it
  [14, ip],
  [101, ip],
  [113, { name: 'sll', dissect: readSll }],
  [228, ipv4],
  [229, ipv6],
  [276, { name: 'sll2', dissect: readSll2 }],
]);

const etherTypes: ReadonlyMap<number, Protocol<Layer>> = new Map([
  [0x0800, ipv4],
  [0x0806, { name: 'arp', dissect: readArp }],
  [0x22eb, { name: 'erspan', dissect: readErspan3 }],
  [0x6558, ethernet],
  [0x8035, { name: 'arp', dissect: readArp }],
  [0x8100, vlan],
  [0x86dd, ipv6],
  [0x8847, mpls],
  [0x8848, mpls],
  [0x8863, { name: 'pppoe', dissect: readPppoe }],
  [0x8864, { name: 'pppoe', dissect: readPppoe }],
  [0x880b, ppp],
  [0x88a8, vlan],
  [0x88cc, { name: 'lldp', dissect: readLldp }],
  [0x88e5, { name: 'macsec', dissect: readMacsec }],
  [0x894f, { name: 'nsh', dissect: readNsh }],
  [0x9100, vlan], // 802.1ad before it was one
]);

const other = (header: number): Protocol<Layer> => ({
  name: 'ipv6-extension',
  dissect: (bytes, packet) => {
    readOther(header, bytes, packet);
  },
});

const ipProtocols: ReadonlyMap<number, Protocol<Layer>> = new Map([
  [0, { name: 'ipv6-hop-by-hop', dissect: readHopByHop }],
  [1, { name: 'icmp', dissect: readIcmp }],
  [2, { name: 'igmp', dissect: readIgmp }],
  [4, ipv4],
  [6, { name: 'tcp', dissect: readTcp }],
  [17, { name: 'udp', dissect: readUdp }],
  [41, ipv6],
  [43, { name: 'ipv6-routing', dissect: readRouting }],
  [44, { name: 'ipv6-fragment', dissect: readFragment }],
  [47, { name: 'gre', dissect: readGre }],
  [50, { name: 'esp', dissect: readEsp }],
  [51, { name: 'ah', dissect: readAh }],
  [58, { name: 'icmpv6', dissect: readIcmpv6 }],
  [60, { name: 'ipv6-destination', dissect: readDestination }],
  [132, { name: 'sctp', dissect: readSctp }],
  [135, other(135)],
  [136, { name: 'udp-lite', dissect: readUdpLite }],
  [137, mpls],
  [139, other(139)],
  [140, other(140)],
  [143, ethernet],
]);

/** Destination and source service access points of LLC. */
const accessPoints: ReadonlyMap<number, Protocol<Layer>> = new Map([
  [0, llc],
  [0x4242, { name: 'stp', dissect: readStp }],
  [0x0606, ipv4],
]);

/** -1 is the number itself, still to be read. */
const pppProtocols: ReadonlyMap<number, Protocol<Layer>> = new Map([
  [-1, ppp],
  [0x0021, ipv4],
  [0x0057, ipv6],
  [0x0281, mpls],
  [0x0283, mpls],
]);

/** Cisco's per-VLAN spanning tree, its organisation above its number. */
const snapProtocols: ReadonlyMap<number, Protocol<Layer>> = new Map([
  [0x0000_0c_010b, { name: 'stp', dissect: readStp }],
]);

/** The protocol that is next; undefined where payload is nobody's in particular, as most of TCP's is. */
export function findProtocol(
  table: Table,
  key: number,
  bytes: Reader,
  packet: Dissection<Layer, Layer>,
): Protocol<Layer> | undefined {
  switch (table) {
    case 'link':
      return linkTypes.get(key) ?? unknown('link', key);
    case 'etherType':
      return etherTypes.get(key) ?? unknown('ethernet', key);
    case 'ipProtocol':
      return ipProtocols.get(key) ?? unknown('ip', key);
    case 'tcp':
      return overTcp(packet.sourcePort, packet.destinationPort, bytes);
    case 'udp':
      return overUdp(packet.sourcePort, packet.destinationPort, bytes);
    case 'ip':
      return ip;
    case 'llc':
      return accessPoints.get(key) ?? data;
    case 'snap':
      return snapProtocols.get(key) ?? unknown('snap', key);
    case 'ppp':
      return pppProtocols.get(key) ?? data;
    case 'none':
      break;
  }
  return data;
}

type Over = Parameters<typeof readUnknown>[0];

function unknown(over: Over, number: number): Protocol<Layer> {
  return {
    name: over,
    dissect: (bytes, packet) => {
      readUnknown(over, number, bytes, packet);
    },
  };
}
