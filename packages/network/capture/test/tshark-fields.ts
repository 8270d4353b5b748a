import type { Layer } from '../src/decode/index.ts';

/** One value, or several in one layer; undefined where the packet has none. */
type Value = string | number | undefined | readonly (string | number)[];

/** Fields of some of our layers by the names that tshark has for them. */
export type Agreement = {
  readonly protocols: readonly string[];
  readonly fields: Readonly<Record<string, (layer: never) => Value>>;
};

/** Members of the union whose name, or one of whose names, is among `Protocol`. */
type Of<Protocol, Each = Layer> = Each extends Layer
  ? [Extract<Each['protocol'], Protocol>] extends [never]
    ? never
    : Each
  : never;
type Read<Protocol extends Layer['protocol']> = (layer: Of<Protocol>) => Value;

function agree<Protocol extends Layer['protocol']>(
  protocols: readonly Protocol[],
  fields: Readonly<Record<string, Read<Protocol>>>,
): Agreement {
  return { protocols, fields };
}

const bit = (value: boolean): number => (value ? 1 : 0);

export const agreements: readonly Agreement[] = [
  agree(['ethernet'], {
    'eth.src': (layer) => layer.source,
    'eth.dst': (layer) => layer.destination,
    'eth.type': (layer) => layer.etherType,
    'eth.len': (layer) => layer.length,
  }),
  agree(['arp'], {
    'arp.opcode': (layer) => layer.operation,
    'arp.src.hw_mac': (layer) => layer.senderHardware,
    'arp.src.proto_ipv4': (layer) => layer.senderProtocol,
    'arp.dst.proto_ipv4': (layer) => layer.targetProtocol,
  }),
  agree(['ipv4'], {
    'ip.src': (layer) => layer.source,
    'ip.dst': (layer) => layer.destination,
    'ip.hdr_len': (layer) => layer.headerBytes,
    'ip.len': (layer) => layer.totalLength,
    'ip.id': (layer) => layer.identification,
    'ip.flags.df': (layer) => bit(layer.dontFragment),
    'ip.flags.mf': (layer) => bit(layer.moreFragments),
    'ip.frag_offset': (layer) => layer.fragmentOffset / 8,
    'ip.ttl': (layer) => layer.ttl,
    'ip.proto': (layer) => layer.protocolNumber,
    'ip.checksum': (layer) => layer.checksum,
    'ip.dsfield.dscp': (layer) => layer.dscp,
    'ip.dsfield.ecn': (layer) => layer.ecn,
  }),
  agree(['ipv6'], {
    'ipv6.src': (layer) => layer.source,
    'ipv6.dst': (layer) => layer.destination,
    'ipv6.plen': (layer) => layer.payloadLength,
    'ipv6.nxt': (layer) => layer.nextHeader,
    'ipv6.hlim': (layer) => layer.hopLimit,
    'ipv6.flow': (layer) => layer.flowLabel,
  }),
  agree(['ipv6-fragment'], {
    'ipv6.fraghdr.more': (layer) => bit(layer.moreFragments),
    'ipv6.fraghdr.ident': (layer) => layer.identification,
  }),
  agree(['tcp'], {
    'tcp.srcport': (layer) => layer.sourcePort,
    'tcp.dstport': (layer) => layer.destinationPort,
    'tcp.seq_raw': (layer) => layer.sequence,
    'tcp.ack_raw': (layer) => layer.acknowledgment,
    'tcp.hdr_len': (layer) => layer.headerBytes,
    'tcp.flags': (layer) => layer.flagBits,
    'tcp.window_size_value': (layer) => layer.window,
    'tcp.checksum': (layer) => layer.checksum,
    'tcp.len': (layer) => layer.length,
    'tcp.urgent_pointer': (layer) => layer.urgentPointer,
    'tcp.options.mss_val': (layer) => layer.options?.find(({ kind }) => kind === 2)?.value,
    'tcp.options.wscale.shift': (layer) => layer.options?.find(({ kind }) => kind === 3)?.value,
    'tcp.options.timestamp.tsval': (layer) => layer.options?.find(({ kind }) => kind === 8)?.timestamp,
    'tcp.options.sack_le': (layer) => layer.options?.find(({ kind }) => kind === 5)?.blocks?.[0]?.[0],
  }),
  agree(['udp'], {
    'udp.srcport': (layer) => layer.sourcePort,
    'udp.dstport': (layer) => layer.destinationPort,
    'udp.length': (layer) => layer.totalLength,
    'udp.checksum': (layer) => layer.checksum,
  }),
  agree(['sctp'], {
    'sctp.srcport': (layer) => layer.sourcePort,
    'sctp.dstport': (layer) => layer.destinationPort,
    'sctp.verification_tag': (layer) => layer.verificationTag,
    'sctp.chunk_length': (layer) => layer.chunks.map(({ length }) => length),
  }),
  agree(['icmp'], {
    'icmp.type': (layer) => layer.type,
    'icmp.code': (layer) => layer.code,
    'icmp.mtu': (layer) => layer.mtu,
    'icmp.redir_gw': (layer) => layer.gateway,
  }),
  agree(['icmpv6'], {
    'icmpv6.type': (layer) => layer.type,
    'icmpv6.code': (layer) => layer.code,
    'icmpv6.mtu': (layer) => layer.mtu,
    'icmpv6.nd.ns.target_address': (layer) => (layer.type === 135 ? layer.target : undefined),
    'icmpv6.nd.na.target_address': (layer) => (layer.type === 136 ? layer.target : undefined),
    'icmpv6.nd.ra.router_lifetime': (layer) => layer.routerLifetime,
  }),
  agree(['gre'], { 'gre.proto': (layer) => layer.protocolType, 'gre.key': (layer) => layer.key }),
  agree(['esp'], { 'esp.spi': (layer) => layer.spi, 'esp.sequence': (layer) => layer.sequence }),
  agree(['ah'], { 'ah.spi': (layer) => layer.spi, 'ah.sequence': (layer) => layer.sequence }),
  agree(['erspan'], {
    'erspan.vlan': (layer) => layer.vlan,
    'erspan.spanid': (layer) => layer.session,
    'erspan.cos': (layer) => layer.priority,
    'erspan.index': (layer) => layer.index,
    'erspan.timestamp': (layer) => layer.timestamp,
    'erspan.sgt': (layer) => layer.groupTag,
    'erspan.hw': (layer) => layer.hardwareId,
  }),
  agree(['macsec'], {
    'macsec.PN': (layer) => layer.packetNumber,
    'macsec.AN': (layer) => layer.association,
    'macsec.SL': (layer) => layer.shortLength ?? 0,
  }),
  agree(['nsh'], {
    'nsh.spi': (layer) => layer.pathId,
    'nsh.si': (layer) => layer.index,
    'nsh.ttl': (layer) => layer.ttl,
    'nsh.mdtype': (layer) => layer.metadataType,
    'nsh.nextproto': (layer) => layer.next,
  }),
  agree(['mpls'], { 'mpls.label': (layer) => layer.label, 'mpls.ttl': (layer) => layer.ttl }),
  agree(['pppoe'], {
    'pppoe.session_id': (layer) => layer.sessionId,
    'pppoe.payload_length': (layer) => layer.length,
  }),
  agree(['stp'], { 'stp.version': (layer) => layer.version, 'stp.root.cost': (layer) => layer.pathCost }),
  agree(['lldp'], { 'lldp.tlv.system.name': (layer) => layer.systemName }),
  agree(['dns', 'mdns'], {
    'dns.id': (layer) => layer.id,
    'dns.flags.response': (layer) => bit(layer.response),
    'dns.flags.rcode': (layer) => (layer.response ? layer.responseCode : undefined),
    'dns.count.queries': (layer) => layer.counts[0],
    'dns.count.answers': (layer) => layer.counts[1],
    'dns.qry.name': (layer) => layer.questions[0]?.name.replace(/\.$/, ''),
    'dns.srv.port': (layer) => numberIn(layer.answers.find(({ type }) => type === 'SRV')?.data, 2),
    'dns.mx.mail_exchange': (layer) => wordIn(layer.answers.find(({ type }) => type === 'MX')?.data, 1),
    'dns.soa.rname': (layer) => wordIn(layer.answers.find(({ type }) => type === 'SOA')?.data, 1),
    'dns.caa.tag': (layer) => wordIn(layer.answers.find(({ type }) => type === 'CAA')?.data, 1),
  }),
  agree(['dhcp'], {
    'dhcp.id': (layer) => Number(layer.transactionId),
    'dhcp.ip.your': (layer) => layer.yourAddress,
    'dhcp.hw.mac_addr': (layer) => layer.clientHardware,
  }),
  agree(['ntp'], { 'ntp.stratum': (layer) => layer.stratum, 'ntp.ppoll': (layer) => layer.poll }),
  agree(['http'], {
    'http.request.method': (layer) => layer.method,
    'http.host': (layer) => layer.host,
    'http.response.code': (layer) => layer.status,
  }),
  // What is encrypted has another name for its type there.
  agree(['tls'], {
    'tls.record.content_type': (layer) => layer.records.map(({ type }) => type).filter((type) => type !== 23),
    'tls.record.length': (layer) => layer.records.map(({ length }) => length),
    'tls.handshake.extensions_server_name': (layer) => layer.records[0]?.handshakes?.[0]?.serverName,
    'tls.alert_message.desc': (layer) => layer.records[0]?.alert?.description,
  }),
  agree(['vxlan'], { 'vxlan.vni': (layer) => layer.vni }),
  agree(['geneve'], {
    'geneve.vni': (layer) => layer.vni,
    'geneve.proto_type': (layer) => layer.protocolType,
  }),
  agree(['wireguard'], { 'wg.sender': (layer) => layer.sender, 'wg.receiver': (layer) => layer.receiver }),
];

function wordIn(data: string | undefined, index: number): string | undefined {
  return data?.split(' ')[index]?.replace(/\.$/, '');
}

function numberIn(data: string | undefined, index: number): number | undefined {
  const word = wordIn(data, index);
  return word === undefined ? undefined : Number(word);
}

/** Our names by tshark's, for its list of a frame's protocols. */
const names: Readonly<Record<string, string>> = {
  eth: 'ethernet',
  ieee8021ad: 'vlan',
  pppoed: 'pppoe',
  pppoes: 'pppoe',
  ip: 'ipv4',
  'ipv6.hopopts': 'ipv6-hop-by-hop',
  'ipv6.dstopts': 'ipv6-destination',
  'ipv6.routing': 'ipv6-routing',
  'ipv6.fraghdr': 'ipv6-fragment',
  mipv6: 'ipv6-extension',
  udplite: 'udp-lite',
  wg: 'wireguard',
  sll2: 'sll',
};
/** What one side has and the other does not: payload without a protocol, parts of a layer, the lack of a link. */
const leftOut = new Set([
  'ethertype',
  'raw',
  'data',
  'data-text-lines',
  'mptcp',
  'tapa', // a guess at the payload of a fragment
  'unknown',
  'fragment',
]);

/** A stack of labels is one protocol there, and a message of IGMP two. */
const repeated = new Set(['mpls', 'igmp']);

function normal(stack: readonly string[]): string {
  return stack
    .map((name) => names[name] ?? name)
    .filter((name, index, all) => !leftOut.has(name) && !(repeated.has(name) && all[index - 1] === name))
    .join(' ');
}

export function tsharkStack(protocols: string): string {
  return normal(protocols.split(':'));
}

export function sameStack(layers: readonly Layer[]): string {
  return normal(layers.map(({ protocol }) => protocol));
}
