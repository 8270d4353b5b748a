import type { Samples } from './corpus-samples.ts';
import {
  cat,
  ethernet,
  hex,
  ipv4,
  ipv6,
  summed,
  tcp,
  tcpBytes,
  text,
  u16,
  u32,
  u8,
  udp,
  udpBytes,
  zeros,
  type Payload,
  type TcpFields,
} from './packet-bytes.ts';

const over4 = (protocol: number, payload: Payload): Buffer => ethernet(0x0800, ipv4(protocol, payload));
const segment = (fields: TcpFields, payload?: Uint8Array): Buffer => over4(6, tcp(fields, payload));
const chunk = (type: number, flags: number, value: Uint8Array): Buffer =>
  cat(u8(type, flags), u16(value.length + 4), value, zeros((4 - (value.length % 4)) % 4));
const sctp = (...chunks: Uint8Array[]): Buffer => cat(u16(4000, 5000), u32(0x1234, 0xdeadbeef), ...chunks);
const initiation = cat(u32(0x11, 65536), u16(10, 10), u32(100));

export const transportPackets: Samples = [
  [
    'syn',
    'ethernet ipv4 tcp',
    segment({ flags: 2, acknowledgment: 0, options: hex('020405b4 0402 080a 00000001 00000000 01 030307') }),
  ],
  [
    'syn with fast open',
    'ethernet ipv4 tcp',
    segment({ flags: 2, options: hex('020405b4 220a 0102030405060708 0101') }),
  ],
  [
    'syn with multipath',
    'ethernet ipv4 tcp',
    segment({ flags: 2, options: hex('1e0c 01 01 0102030405060708') }),
  ],
  ['syn ack', 'ethernet ipv4 tcp', segment({ flags: 0x12, options: hex('020405b4') })],
  ['ack with sack', 'ethernet ipv4 tcp', segment({ options: hex('0101 050a 000007e0 000007f0') })],
  ['data', 'ethernet ipv4 tcp', segment({ flags: 0x18 }, text('some data'))],
  ['fin', 'ethernet ipv4 tcp', segment({ flags: 0x11 })],
  ['rst', 'ethernet ipv4 tcp', segment({ flags: 4, acknowledgment: 0, window: 0 })],
  ['urgent', 'ethernet ipv4 tcp', segment({ flags: 0x38, urgent: 4 }, text('stop'))],
  ['congestion', 'ethernet ipv4 tcp', segment({ flags: 0xd0 })],
  ['no flags', 'ethernet ipv4 tcp', segment({ flags: 0 })],
  ['tcp over ipv6', 'ethernet ipv6 tcp', ethernet(0x86dd, ipv6(6, tcp({ flags: 0x18 }, text('odd'))))],
  ['tcp with a bad checksum', 'ethernet ipv4 tcp', over4(6, tcpBytes({ flags: 0x18 }, text('wrong')))],
  ['udp', 'ethernet ipv4 udp', over4(17, udp(5000, 6000, text('hello')))],
  ['udp without checksum', 'ethernet ipv4 udp', over4(17, udpBytes(5000, 6000, text('hello')))],
  ['udp over ipv6', 'ethernet ipv6 udp', ethernet(0x86dd, ipv6(17, udp(5000, 6000, text('hello'))))],
  ['empty udp', 'ethernet ipv4 udp', over4(17, udp(5000, 6000, zeros(0)))],
  [
    'udp-lite',
    'ethernet ipv4 udp-lite',
    over4(136, summed(cat(u16(5000, 6000, 12, 0), text('hello world')), 6, 136, 12)),
  ],
  ['sctp init', 'ethernet ipv4 sctp', over4(132, sctp(chunk(1, 0, initiation)))],
  [
    'sctp data',
    'ethernet ipv4 sctp',
    over4(
      132,
      sctp(
        chunk(3, 0, cat(u32(99, 65536), u16(0, 0))),
        chunk(0, 3, cat(u32(100), u16(1, 2), u32(0), text('hello'))),
      ),
    ),
  ],
  [
    'sctp heartbeat',
    'ethernet ipv6 sctp',
    ethernet(0x86dd, ipv6(132, sctp(chunk(4, 0, cat(u16(1, 8), u32(7)))))),
  ],
];
