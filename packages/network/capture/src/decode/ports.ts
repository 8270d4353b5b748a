import { readDhcp } from './application/dhcp.ts';
import { readDhcpv6 } from './application/dhcpv6.ts';
import { readDns, readDnsOverTcp, readMdns } from './application/dns.ts';
import { readGeneve } from './application/geneve.ts';
import { looksLikeHttp, readHttp } from './application/http.ts';
import { looksLikeDns, looksLikeDnsOverTcp } from './application/looks-like-dns.ts';
import { readNtp } from './application/ntp.ts';
import { looksLikeQuic, readQuic } from './application/quic.ts';
import { looksLikeTls, readTls } from './application/tls.ts';
import { readVxlan, readVxlanGpe } from './application/vxlan.ts';
import { looksLikeWireguard, readWireguard } from './application/wireguard.ts';
import type { Protocol } from './dissection.ts';
import type { Layer } from './layer.ts';
import type { Reader } from './reader.ts';

/**
 * What is above TCP and UDP: first by port, where a protocol has one and nothing in its bytes tells it, then by what the
 * bytes look like, on any port.
 */

type Heuristic = Protocol<Layer> & { readonly matches: (bytes: Reader) => boolean };

const dns: Protocol<Layer> = { name: 'dns', dissect: readDns };

const udpPorts: ReadonlyMap<number, Protocol<Layer>> = new Map([
  [53, dns],
  [67, { name: 'dhcp', dissect: readDhcp }],
  [68, { name: 'dhcp', dissect: readDhcp }],
  [123, { name: 'ntp', dissect: readNtp }],
  [546, { name: 'dhcpv6', dissect: readDhcpv6 }],
  [547, { name: 'dhcpv6', dissect: readDhcpv6 }],
  [4789, { name: 'vxlan', dissect: readVxlan }],
  [4790, { name: 'vxlan', dissect: readVxlanGpe }],
  [5353, { name: 'mdns', dissect: readMdns }],
  [5355, dns], // LLMNR: the same message
  [6081, { name: 'geneve', dissect: readGeneve }],
  [8472, { name: 'vxlan', dissect: readVxlan }], // Linux's own, from before there was one
]);

const tcpPorts: ReadonlyMap<number, Protocol<Layer>> = new Map([
  [53, { name: 'dns', dissect: readDnsOverTcp }],
]);

const udpHeuristics: readonly Heuristic[] = [
  { ...dns, matches: looksLikeDns },
  { name: 'wireguard', dissect: readWireguard, matches: looksLikeWireguard },
  { name: 'quic', dissect: readQuic, matches: looksLikeQuic },
];

const tcpHeuristics: readonly Heuristic[] = [
  { name: 'dns', dissect: readDnsOverTcp, matches: looksLikeDnsOverTcp },
  { name: 'tls', dissect: readTls, matches: looksLikeTls },
  { name: 'http', dissect: readHttp, matches: looksLikeHttp },
];

/** What a datagram carries; the destination's port counts first. */
export function overUdp(source: number, destination: number, bytes: Reader): Protocol<Layer> | undefined {
  const byPort = udpPorts.get(destination) ?? udpPorts.get(source);
  return byPort ?? udpHeuristics.find(({ matches }) => matches(bytes));
}

/** What a segment carries; those that continue a message look like nothing. */
export function overTcp(source: number, destination: number, bytes: Reader): Protocol<Layer> | undefined {
  const byPort = tcpPorts.get(destination) ?? tcpPorts.get(source);
  return byPort ?? tcpHeuristics.find(({ matches }) => matches(bytes));
}

/** Names of IANA's registry, the same over TCP and UDP. */
const services: ReadonlyMap<number, string> = new Map([
  [20, 'ftp-data'],
  [21, 'ftp'],
  [22, 'ssh'],
  [23, 'telnet'],
  [25, 'smtp'],
  [53, 'domain'],
  [67, 'bootps'],
  [68, 'bootpc'],
  [69, 'tftp'],
  [80, 'http'],
  [88, 'kerberos'],
  [110, 'pop3'],
  [111, 'sunrpc'],
  [123, 'ntp'],
  [143, 'imap'],
  [161, 'snmp'],
  [162, 'snmptrap'],
  [179, 'bgp'],
  [389, 'ldap'],
  [443, 'https'],
  [445, 'microsoft-ds'],
  [500, 'isakmp'],
  [514, 'syslog'],
  [546, 'dhcpv6-client'],
  [547, 'dhcpv6-server'],
  [587, 'submission'],
  [636, 'ldaps'],
  [853, 'domain-s'],
  [993, 'imaps'],
  [2049, 'nfs'],
  [2379, 'etcd-client'],
  [2380, 'etcd-server'],
  [3260, 'iscsi-target'],
  [3306, 'mysql'],
  [3389, 'ms-wbt-server'],
  [4500, 'ipsec-nat-t'],
  [4789, 'vxlan'],
  [5353, 'mdns'],
  [5355, 'llmnr'],
  [5432, 'postgresql'],
  [6081, 'geneve'],
  [6379, 'redis'],
  [6443, 'sun-sr-https'],
]);

/** The name of a port's service, or the number. */
export function serviceName(port: number): string {
  return services.get(port) ?? String(port);
}
