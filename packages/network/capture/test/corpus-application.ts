import type { Samples } from './corpus-samples.ts';
import { dnsName as name, dnsRecord as record, hello } from './corpus-messages.ts';
import {
  cat,
  ethernet,
  hex,
  ip4,
  ip6,
  ipv4,
  ipv6,
  mac,
  macA,
  tcp,
  text,
  u16,
  u24,
  u32,
  u32le,
  u8,
  udp,
  zeros,
} from './packet-bytes.ts';

const datagram = (source: number, destination: number, payload: Uint8Array): Buffer =>
  ethernet(0x0800, ipv4(17, udp(source, destination, payload)));
const datagram6 = (source: number, destination: number, payload: Uint8Array): Buffer =>
  ethernet(0x86dd, ipv6(17, udp(source, destination, payload)));
const segment = (source: number, destination: number, payload: Uint8Array): Buffer =>
  ethernet(0x0800, ipv4(6, tcp({ source, destination, flags: 0x18 }, payload)));

const query = cat(
  u16(0x1234, 0x0100, 1, 0, 0, 1),
  name('example.com'),
  u16(28, 1),
  hex('00 0029 04d0 00000000 0000'),
);
const answered = (type: number, ...answers: Uint8Array[]): Buffer =>
  cat(u16(0x1234, 0x8580, 1, answers.length, 0, 0), name('example.com'), u16(type, 1), ...answers);
const back = u16(0xc00c);
const answer = (type: number, data: Uint8Array): Buffer => record(back, type, data);
const txt = (...strings: string[]): Buffer => cat(...strings.map((each) => cat(u8(each.length), text(each))));

const everyType = answered(
  255,
  answer(1, ip4('192.0.2.1')),
  answer(28, ip6('2001:db8::1')),
  answer(5, cat(u8(3), text('www'), back)),
  answer(15, cat(u16(10), name('mx.example.com'))),
  answer(2, name('ns.example.com')),
  answer(6, cat(name('ns.example.com'), name('admin.example.com'), u32(1, 2, 3, 4, 5))),
  answer(33, cat(u16(1, 2, 443), name('srv.example.com'))),
  answer(16, txt('v=spf1 -all', 'more')),
  answer(65, cat(u16(1), u8(0), u16(1, 6), txt('h2', 'h3'), u16(4, 4), ip4('192.0.2.1'))),
  answer(257, cat(u8(0, 5), text('issueca.example'))),
  answer(48, cat(u16(257), u8(3, 13), zeros(8))),
  answer(43, cat(u16(12345), u8(13, 2), zeros(32))),
  answer(52, cat(u8(3, 1, 1), zeros(32))),
  answer(44, cat(u8(4, 2), zeros(32))),
  answer(
    46,
    cat(
      u16(1),
      u8(13, 2),
      u32(300, 1_900_000_000, 1_800_000_000),
      u16(12345),
      name('example.com'),
      zeros(64),
    ),
  ),
  answer(47, cat(name('a.example.com'), hex('0006 400000080003'))),
);
const pointer = cat(
  u16(0x55, 0x8180, 1, 1, 0, 0),
  name('2.0.0.10.in-addr.arpa'),
  u16(12, 1),
  record(back, 12, name('host.example')),
);
const nothing = cat(u16(0x66, 0x8183, 1, 0, 0, 0), name('nowhere.example'), u16(1, 1));
const multicast = cat(u16(0, 0x8400, 0, 1, 0, 0), record(name('printer.local'), 1, ip4('10.0.0.9'), 0x8001));
const multicastQuery = cat(u16(0, 0, 1, 0, 0, 0), name('_ipp._tcp.local'), u16(12, 0x8001));

const option = (code: number, value: Uint8Array): Buffer => cat(u8(code, value.length), value);
const dhcp = (operation: number, yours: string, ...options: Uint8Array[]): Buffer =>
  cat(
    u8(operation, 1, 6, 0),
    u32(0xdeadbeef),
    u16(3, 0x8000),
    zeros(4),
    ip4(yours),
    zeros(8),
    mac(macA),
    zeros(10 + 64 + 128),
    hex('63825363'),
    ...options,
    u8(255),
  );
const option6 = (code: number, value: Uint8Array): Buffer => cat(u16(code, value.length), value);
const solicit = cat(
  u8(1),
  u24(0xabcdef),
  option6(1, cat(u16(3, 1), mac(macA))),
  option6(3, u32(1, 0, 0)),
  option6(6, u16(23, 24)),
  option6(8, u16(0)),
);
const relayed = cat(u8(12, 0), ip6('2001:db8::1'), ip6('fe80::1'), option6(9, solicit));
const address6 = option6(5, cat(ip6('2001:db8::42'), u32(3600, 7200)));
const reply6 = cat(
  u8(7),
  u24(0xabcdef),
  option6(3, cat(u32(1, 1800, 2880), address6)),
  option6(23, ip6('2001:db8::53')),
);

const ntp = (mode: number, stratum: number): Buffer =>
  cat(
    u8(0x20 | mode, stratum, 6, 0xe9),
    u32(0x100, 0x200),
    text('GPS\0'),
    ...Array.from({ length: 4 }, () => u32(3_900_000_000, 0x80000000)),
  );

const tlsRecord = (type: number, body: Uint8Array): Buffer => cat(u8(type, 3, 3), u16(body.length), body);
const request = 'GET /index.html HTTP/1.1\r\nHost: example.com\r\nUser-Agent: test\r\n\r\n';
const response = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello';
const inner = ethernet(
  0x0800,
  ipv4(17, udp(7000, 8000, text('inner')), { source: '172.16.0.1', destination: '172.16.0.2' }),
);
const quic = (type: number, version: number): Buffer =>
  cat(u8(0xc0 | (type << 4)), u32(version), u8(8), hex('0102030405060708'), u8(4), hex('0a0b0c0d'));

export const applicationPackets: Samples = [
  ['dns query', 'ethernet ipv4 udp dns', datagram(40000, 53, query)],
  ['dns answer', 'ethernet ipv4 udp dns', datagram(53, 40000, answered(1, answer(1, ip4('192.0.2.1'))))],
  ['dns answer of every type', 'ethernet ipv4 udp dns', datagram(53, 40000, everyType)],
  ['dns pointer', 'ethernet ipv6 udp dns', datagram6(53, 40000, pointer)],
  ['dns name that does not exist', 'ethernet ipv4 udp dns', datagram(53, 40000, nothing)],
  ['dns over tcp', 'ethernet ipv4 tcp dns', segment(40000, 53, cat(u16(query.length), query))],
  ['dns on another port', 'ethernet ipv4 udp dns', datagram(40000, 53535, query)],
  [
    'dns answer from another port',
    'ethernet ipv4 udp dns',
    datagram(53535, 40000, answered(1, answer(1, ip4('192.0.2.1')))),
  ],
  [
    'dns over tcp on another port',
    'ethernet ipv4 tcp dns',
    segment(40000, 53535, cat(u16(query.length), query)),
  ],
  ['mdns', 'ethernet ipv4 udp mdns', datagram(5353, 5353, multicast)],
  ['mdns query', 'ethernet ipv6 udp mdns', datagram6(5353, 5353, multicastQuery)],
  [
    'dhcp discover',
    'ethernet ipv4 udp dhcp',
    datagram(
      68,
      67,
      dhcp(1, '0.0.0.0', option(53, u8(1)), option(12, text('node-1')), option(55, u8(1, 3, 6))),
    ),
  ],
  [
    'dhcp offer',
    'ethernet ipv4 udp dhcp',
    datagram(
      67,
      68,
      dhcp(
        2,
        '10.0.0.50',
        option(53, u8(2)),
        option(1, ip4('255.255.255.0')),
        option(3, ip4('10.0.0.254')),
        option(51, u32(3600)),
        option(54, ip4('10.0.0.254')),
      ),
    ),
  ],
  ['dhcpv6 solicit', 'ethernet ipv6 udp dhcpv6', datagram6(546, 547, solicit)],
  ['dhcpv6 reply', 'ethernet ipv6 udp dhcpv6', datagram6(547, 546, reply6)],
  ['dhcpv6 relay', 'ethernet ipv6 udp dhcpv6', datagram6(547, 547, relayed)],
  ['ntp client', 'ethernet ipv4 udp ntp', datagram(40000, 123, ntp(3, 0))],
  ['ntp server', 'ethernet ipv4 udp ntp', datagram(123, 40000, ntp(4, 1))],
  ['http request', 'ethernet ipv4 tcp http', segment(40000, 80, text(request))],
  ['http response', 'ethernet ipv4 tcp http', segment(80, 40000, text(response))],
  ['tls client hello', 'ethernet ipv4 tcp tls', segment(40000, 443, tlsRecord(22, hello('client')))],
  ['tls server hello', 'ethernet ipv4 tcp tls', segment(443, 40000, tlsRecord(22, hello('server')))],
  ['tls alert', 'ethernet ipv4 tcp tls', segment(443, 40000, tlsRecord(21, u8(2, 40)))],
  [
    'tls data',
    'ethernet ipv4 tcp tls',
    segment(443, 40000, cat(tlsRecord(20, u8(1)), tlsRecord(23, zeros(40)))),
  ],
  [
    'quic handshake',
    'ethernet ipv4 udp quic',
    datagram(40000, 443, cat(quic(2, 1), u8(0x40, 20), zeros(20))),
  ],
  [
    'quic version negotiation',
    'ethernet ipv4 udp quic',
    datagram(443, 40000, cat(quic(0, 0), u32(1, 0x6b3343cf))),
  ],
  [
    'vxlan',
    'ethernet ipv4 udp vxlan ethernet ipv4 udp',
    datagram(40000, 4789, cat(hex('08000000'), u24(4096), u8(0), inner)),
  ],
  [
    'geneve',
    'ethernet ipv6 udp geneve ethernet ipv4 udp',
    datagram6(
      40000,
      6081,
      cat(u8(2, 0), u16(0x6558), u24(42), u8(0), u16(0x0102), u8(0x80, 1), u32(7), inner),
    ),
  ],
  [
    'wireguard initiation',
    'ethernet ipv4 udp wireguard',
    datagram(40000, 51820, cat(u8(1, 0, 0, 0), u32le(0x1111), zeros(140))),
  ],
  [
    'wireguard response',
    'ethernet ipv4 udp wireguard',
    datagram(51820, 40000, cat(u8(2, 0, 0, 0), u32le(0x2222), u32le(0x1111), zeros(80))),
  ],
  [
    'wireguard cookie',
    'ethernet ipv4 udp wireguard',
    datagram(51820, 40000, cat(u8(3, 0, 0, 0), u32le(0x1111), zeros(56))),
  ],
  [
    'wireguard data',
    'ethernet ipv4 udp wireguard',
    datagram(40000, 51820, cat(u8(4, 0, 0, 0), u32le(0x2222), u32le(7), u32le(1), zeros(48))),
  ],
];
