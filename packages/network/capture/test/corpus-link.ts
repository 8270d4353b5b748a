import type { Samples } from './corpus-samples.ts';
import {
  cat,
  ethernet,
  hex,
  ip4,
  ipv4,
  ipv6,
  llc,
  mac,
  macA,
  macB,
  tag,
  tcp,
  text,
  u16,
  u32,
  u8,
  udp,
  zeros,
} from './packet-bytes.ts';

const arp = (operation: number, sender: string, target: string): Buffer =>
  cat(u16(1, 0x0800), u8(6, 4), u16(operation), mac(macA), ip4(sender), zeros(6), ip4(target));
const hello = udp(5000, 6000, text('hello'));
const lldpField = (type: number, value: Uint8Array): Buffer => cat(u16((type << 9) | value.length), value);
const bridge = cat(u16(0x8000), mac(macB));
const times = u16(0x0100, 0x1400, 0x0200, 0x0f00);
const bpdu = (version: number, type: number, flags: number): Buffer =>
  cat(u16(0), u8(version, type, flags), bridge, u32(4), bridge, u16(0x8001), times);
const pppoe = (code: number, session: number, payload: Uint8Array): Buffer =>
  cat(u8(0x11, code), u16(session, payload.length), payload);
const tagged = (type: number, value: string): Buffer => cat(u16(type, value.length), text(value));
const cooked2 = (etherType: number, payload: Uint8Array): Buffer =>
  cat(u16(etherType, 0), u32(2), u16(1), u8(4, 6), mac(macA), zeros(2), payload);

export const linkPackets: Samples = [
  ['arp request', 'ethernet arp', ethernet(0x0806, arp(1, '10.0.0.1', '10.0.0.2'))],
  ['arp reply', 'ethernet arp', ethernet(0x0806, cat(arp(2, '10.0.0.2', '10.0.0.1'), zeros(18)))],
  ['arp announcement', 'ethernet arp', ethernet(0x0806, arp(1, '10.0.0.1', '10.0.0.1'))],
  ['reverse arp', 'ethernet arp', ethernet(0x8035, arp(3, '0.0.0.0', '0.0.0.0'))],
  ['vlan', 'ethernet vlan ipv4 udp', ethernet(0x8100, tag(100, 5, 0x0800, ipv4(17, hello)))],
  [
    'two tags',
    'ethernet vlan vlan ipv6 udp',
    ethernet(0x88a8, tag(10, 0, 0x8100, tag(20, 3, 0x86dd, ipv6(17, hello)))),
  ],
  ['spanning tree', 'ethernet llc stp', llc(0x42, 0x42, 3, bpdu(0, 0, 1))],
  ['rapid spanning tree', 'ethernet llc stp', llc(0x42, 0x42, 3, cat(bpdu(2, 2, 0x3c), u8(0)))],
  ['topology change', 'ethernet llc stp', llc(0x42, 0x42, 3, hex('0000 00 80'))],
  ['snap', 'ethernet llc ipv4 udp', llc(0xaa, 0xaa, 3, cat(hex('000000 0800'), ipv4(17, hello)))],
  ['other llc', 'ethernet llc data', llc(0xf0, 0xf0, 3, hex('0102030405'))],
  [
    'lldp',
    'ethernet lldp',
    ethernet(
      0x88cc,
      cat(
        lldpField(1, cat(u8(4), mac(macA))),
        lldpField(2, cat(u8(5), text('swp1'))),
        lldpField(3, u16(120)),
        lldpField(4, text('uplink')),
        lldpField(5, text('switch-1')),
        lldpField(6, text('a switch')),
        lldpField(8, cat(u8(5, 1), ip4('10.0.0.254'), u8(2), u32(1), u8(0))),
        lldpField(0, zeros(0)),
      ),
    ),
  ],
  [
    'mpls',
    'ethernet mpls mpls ipv4 udp',
    ethernet(0x8847, cat(u32((16 << 12) | 64), u32((17 << 12) | 0x100 | 63), ipv4(17, hello))),
  ],
  [
    'pppoe discovery',
    'ethernet pppoe',
    ethernet(0x8863, pppoe(9, 0, cat(tagged(0x0101, ''), tagged(0x0103, 'abcd')))),
  ],
  [
    'pppoe session',
    'ethernet pppoe ppp ipv4 udp',
    ethernet(0x8864, pppoe(0, 17, cat(u16(0x0021), ipv4(17, hello)))),
  ],
  ['unknown ethertype', 'ethernet unknown', ethernet(0x88b5, text('experiment'))],
  ['raw ipv4', 'ipv4 tcp', ipv4(6, tcp({ flags: 2 })), 101],
  ['raw ipv6', 'ipv6 tcp', ipv6(6, tcp({ flags: 2 })), 101],
  ['cooked', 'sll ipv4 udp', cat(u16(0, 1, 6), mac(macA), zeros(2), u16(0x0800), ipv4(17, hello)), 113],
  ['cooked 2', 'sll2 ipv6 udp', cooked2(0x86dd, ipv6(17, hello)), 276],
  ['cooked 2 arp', 'sll2 arp', cooked2(0x0806, arp(1, '10.0.0.1', '10.0.0.2')), 276],
  ['null', 'null ipv4 udp', cat(hex('02000000'), ipv4(17, hello)), 0],
  ['null ipv6', 'null ipv6 udp', cat(hex('1e000000'), ipv6(17, hello)), 0],
];
