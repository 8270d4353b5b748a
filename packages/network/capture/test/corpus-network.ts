import type { Samples } from './corpus-samples.ts';
import {
  before,
  cat,
  ethernet,
  hex,
  icmp,
  icmpv6,
  ip4,
  ip6,
  ipv4,
  ipv6,
  mac,
  macA,
  plainSum,
  tcp,
  tcpBytes,
  text,
  u16,
  u32,
  u8,
  udp,
  udpBytes,
  zeros,
  type Ipv4Fields,
  type Ipv6Fields,
  type Payload,
} from './packet-bytes.ts';

const over4 = (protocol: number, payload: Payload, fields?: Ipv4Fields): Buffer =>
  ethernet(0x0800, ipv4(protocol, payload, fields));
const over6 = (next: number, payload: Payload, fields?: Ipv6Fields): Buffer =>
  ethernet(0x86dd, ipv6(next, payload, fields));
const hello = udp(5000, 6000, text('hello'));
const inner4 = ipv4(17, hello, { source: '192.168.0.1', destination: '192.168.0.2' });
const inner6 = ipv6(17, hello, { source: 'fd00::1', destination: 'fd00::2' });
const mirrored = ethernet(0x0800, inner4);

const quoted4 = cat(ipv4(17, udpBytes(5000, 53, zeros(20))).subarray(0, 28));
const quotedTcp = ipv4(6, tcpBytes({ source: 40000, destination: 80 })).subarray(0, 28);
const quoted6 = ipv6(17, udp(5000, 6001, zeros(20)));

const link = (type: number): Buffer => cat(u8(type, 1), mac(macA));
const neighbour = { hopLimit: 255, source: 'fe80::1', destination: 'fe80::2' };
const prefix = cat(u8(3, 4, 64, 0xc0), u32(86400, 14400, 0), ip6('2001:db8:1::'));
const servers = cat(u8(25, 3, 0, 0), u32(600), ip6('2001:db8::53'));
const routerAlert = (next: number): Buffer => cat(u8(next, 0), hex('0502 0000 0100'));
const fragment6 = (next: number, offset: number, more: number, id: number): Buffer =>
  cat(u8(next, 0), u16(offset | more), u32(id));
const listener = cat(u16(0, 1), u8(4, 0), u16(0), ip6('ff02::fb'));
const segments = cat(u8(17, 4, 4, 1, 1, 0), u16(0), ip6('2001:db8::99'), ip6('2001:db8::2'));

export const networkPackets: Samples = [
  ['echo', 'ethernet ipv4 icmp', over4(1, icmp(8, 0, cat(u16(7, 1), text('abcdefgh'))))],
  ['echo reply', 'ethernet ipv4 icmp', over4(1, icmp(0, 0, cat(u16(7, 1), text('abcdefgh'))))],
  ['port unreachable', 'ethernet ipv4 icmp ipv4 udp', over4(1, icmp(3, 3, cat(u32(0), quoted4)))],
  ['fragmentation needed', 'ethernet ipv4 icmp ipv4 tcp', over4(1, icmp(3, 4, cat(u16(0, 1400), quotedTcp)))],
  ['time exceeded', 'ethernet ipv4 icmp ipv4 tcp', over4(1, icmp(11, 0, cat(u32(0), quotedTcp)))],
  ['redirect', 'ethernet ipv4 icmp ipv4 udp', over4(1, icmp(5, 1, cat(ip4('10.0.0.254'), quoted4)))],
  ['parameter problem', 'ethernet ipv4 icmp ipv4 udp', over4(1, icmp(12, 0, cat(u8(9, 0, 0, 0), quoted4)))],
  ['icmp timestamp', 'ethernet ipv4 icmp', over4(1, icmp(13, 0, cat(u16(7, 2), u32(1, 0, 0))))],
  ['icmp of another type', 'ethernet ipv4 icmp', over4(1, icmp(10, 0, u32(0)))],
  [
    'ipv4 options',
    'ethernet ipv4 udp',
    over4(17, hello, { options: hex('94040000 07070400000000 00'), service: 0xb9 }),
  ],
  [
    'first fragment',
    'ethernet ipv4 udp',
    over4(17, udpBytes(5000, 6000, zeros(32)).subarray(0, 24), { id: 77, fragment: 0x2000 }),
  ],
  ['last fragment', 'ethernet ipv4 fragment', over4(17, zeros(16), { id: 77, fragment: 3 })],
  ['unknown protocol', 'ethernet ipv4 unknown', over4(200, text('whatever'))],
  ['ospf', 'ethernet ipv4 unknown', over4(253, text('whatever'))],
  ['padding after ip', 'ethernet ipv4 tcp', cat(over4(6, tcp({})), zeros(6))],
  ['ip in ip', 'ethernet ipv4 ipv4 udp', over4(4, inner4)],
  ['6in4', 'ethernet ipv4 ipv6 udp', over4(41, inner6)],
  ['ip in ipv6', 'ethernet ipv6 ipv4 udp', over6(4, inner4)],
  ['gre', 'ethernet ipv4 gre ipv4 udp', over4(47, cat(u16(0, 0x0800), inner4))],
  ['gre with key', 'ethernet ipv4 gre ipv6 udp', over4(47, cat(u16(0x3000, 0x86dd), u32(0xabcd, 7), inner6))],
  ['erspan', 'ethernet ipv4 gre erspan ethernet ipv4 udp', over4(47, cat(u16(0, 0x88be), mirrored))],
  [
    'erspan type II',
    'ethernet ipv4 gre erspan ethernet ipv4 udp',
    over4(47, cat(u16(0x1000, 0x88be), u32(9), u16(0x1064, 0xa464), u32(0x12345), mirrored)),
  ],
  [
    'erspan type III',
    'ethernet ipv4 gre erspan ethernet ipv4 udp',
    over4(47, cat(u16(0x1000, 0x22eb), u32(9), u16(0x2064, 0x6007), u32(123456), u16(77, 0x8058), mirrored)),
  ],
  [
    'erspan of a platform',
    'ethernet ipv4 gre erspan ethernet ipv4 udp',
    over4(
      47,
      cat(u16(0x1000, 0x22eb), u32(9), u16(0x2064, 0x6007), u32(123456), u16(77, 0x8001), zeros(8), mirrored),
    ),
  ],
  [
    'macsec in clear',
    'ethernet macsec ipv4 udp',
    ethernet(
      0x88e5,
      cat(
        u8(0x21, 0),
        u32(7),
        mac(macA),
        u16(1),
        u16(0x0800),
        ipv4(17, udp(5000, 6000, zeros(32))),
        zeros(16),
      ),
    ),
  ],
  [
    'macsec',
    'ethernet macsec data',
    ethernet(0x88e5, cat(u8(0x2e, 0), u32(8), mac(macA), u16(1), zeros(80))),
  ],
  [
    'nsh',
    'ethernet nsh ipv4 udp',
    ethernet(0x894f, cat(u16(0x0fc6), u8(1, 1), u32(0x123405), u32(1, 2, 3, 4), inner4)),
  ],
  [
    'nsh with variable metadata',
    'ethernet nsh ethernet ipv4 udp',
    ethernet(0x894f, cat(u16(0x0fc4), u8(2, 3), u32(0x123405), u16(0x0101), u8(2, 4), u32(5), mirrored)),
  ],
  [
    'gre bridge',
    'ethernet ipv4 gre ethernet ipv4 udp',
    over4(47, cat(u16(0, 0x6558), ethernet(0x0800, inner4))),
  ],
  ['esp', 'ethernet ipv4 esp', over4(50, cat(u32(0x1001, 5), zeros(32)))],
  [
    'ah',
    'ethernet ipv4 ah udp',
    over4(
      51,
      before(() => cat(u8(17, 4, 0, 0), u32(0x2002, 6), zeros(12)), hello),
    ),
  ],
  [
    'igmp query',
    'ethernet ipv4 igmp',
    over4(2, plainSum(cat(u8(0x11, 100), u16(0), ip4('224.0.0.1')), 2), { ttl: 1 }),
  ],
  [
    'igmp report',
    'ethernet ipv4 igmp',
    over4(2, plainSum(cat(u8(0x16, 0), u16(0), ip4('239.1.2.3')), 2), { ttl: 1 }),
  ],
  [
    'igmp 3 report',
    'ethernet ipv4 igmp',
    over4(2, plainSum(cat(u8(0x22, 0), u16(0, 0, 1), u8(4, 0), u16(0), ip4('239.1.2.3')), 2), { ttl: 1 }),
  ],
  ['ipv6 echo', 'ethernet ipv6 icmpv6', over6(58, icmpv6(128, 0, cat(u16(7, 1), text('abcdefgh'))))],
  ['ipv6 port unreachable', 'ethernet ipv6 icmpv6 ipv6 udp', over6(58, icmpv6(1, 4, cat(u32(0), quoted6)))],
  ['packet too big', 'ethernet ipv6 icmpv6 ipv6 udp', over6(58, icmpv6(2, 0, cat(u32(1280), quoted6)))],
  ['ipv6 time exceeded', 'ethernet ipv6 icmpv6 ipv6 udp', over6(58, icmpv6(3, 0, cat(u32(0), quoted6)))],
  ['router solicitation', 'ethernet ipv6 icmpv6', over6(58, icmpv6(133, 0, cat(u32(0), link(1))), neighbour)],
  [
    'router advertisement',
    'ethernet ipv6 icmpv6',
    over6(
      58,
      icmpv6(
        134,
        0,
        cat(u8(64, 0x40), u16(1800), u32(0, 0), link(1), u8(5, 1, 0, 0), u32(1500), prefix, servers),
      ),
      neighbour,
    ),
  ],
  [
    'neighbour solicitation',
    'ethernet ipv6 icmpv6',
    over6(58, icmpv6(135, 0, cat(u32(0), ip6('fe80::2'), link(1))), neighbour),
  ],
  [
    'neighbour advertisement',
    'ethernet ipv6 icmpv6',
    over6(58, icmpv6(136, 0, cat(u32(0xe0000000), ip6('fe80::1'), link(2))), neighbour),
  ],
  [
    'ipv6 redirect',
    'ethernet ipv6 icmpv6',
    over6(58, icmpv6(137, 0, cat(u32(0), ip6('fe80::3'), ip6('2001:db8::9'))), neighbour),
  ],
  [
    'listener report',
    'ethernet ipv6 ipv6-hop-by-hop icmpv6',
    over6(
      0,
      before(() => routerAlert(58), icmpv6(143, 0, listener)),
      neighbour,
    ),
  ],
  [
    'listener query',
    'ethernet ipv6 ipv6-hop-by-hop icmpv6',
    over6(
      0,
      before(() => routerAlert(58), icmpv6(130, 0, cat(u16(1000, 0), zeros(16)))),
      neighbour,
    ),
  ],
  [
    'destination options',
    'ethernet ipv6 ipv6-destination udp',
    over6(
      60,
      before(() => cat(u8(17, 0), hex('0104 00000000')), hello),
    ),
  ],
  [
    'segment routing',
    'ethernet ipv6 ipv6-routing udp',
    over6(
      43,
      before(() => segments, hello),
      { destination: '2001:db8::2', final: '2001:db8::99' },
    ),
  ],
  [
    'ipv6 first fragment',
    'ethernet ipv6 ipv6-fragment udp',
    over6(44, cat(fragment6(17, 0, 1, 9), udpBytes(5000, 6000, zeros(32)).subarray(0, 24))),
  ],
  [
    'ipv6 last fragment',
    'ethernet ipv6 ipv6-fragment fragment',
    over6(44, cat(fragment6(17, 24, 0, 9), zeros(16))),
  ],
  [
    'four extension headers',
    'ethernet ipv6 ipv6-hop-by-hop ipv6-destination ipv6-fragment ah tcp',
    over6(
      0,
      before(
        () =>
          cat(
            routerAlert(60),
            cat(u8(44, 0), hex('0104 00000000')),
            fragment6(51, 0, 0, 5),
            cat(u8(6, 4, 0, 0), u32(1, 1), zeros(12)),
          ),
        tcp({ flags: 2 }),
      ),
    ),
  ],
  ['mobility', 'ethernet ipv6 ipv6-extension', over6(135, cat(u8(59, 0, 0, 0), zeros(4)))],
  ['no next header', 'ethernet ipv6', over6(59, zeros(0))],
];
