import { type ChecksumStatus, sumWords, verify } from '../checksum.ts';
import type { AnyLayer, Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { type ListenerRecord, readListenerReport } from './mld.ts';
import { type NeighbourOption, readNeighbourOptions } from './neighbour-options.ts';

/** ICMP for IPv6 (RFC 4443), with neighbour discovery (RFC 4861) and multicast listeners (RFC 2710, RFC 3810). */
export interface Icmpv6<Quoted extends AnyLayer = AnyLayer> {
  readonly protocol: 'icmpv6';
  readonly type: number;
  readonly code: number;
  readonly checksum: number;
  readonly checksumStatus: ChecksumStatus;
  readonly identifier?: number;
  readonly sequence?: number;
  /** Of a packet that was too big. */
  readonly mtu?: number;
  readonly pointer?: number;
  readonly quoted?: readonly Quoted[];
  /** Of neighbour solicitations, advertisements and redirects. */
  readonly target?: string;
  readonly destination?: string;
  /** Router, solicited, override; managed, other of a router. */
  readonly flags?: readonly string[];
  readonly hopLimit?: number;
  /** Seconds that a router wants to be used. */
  readonly routerLifetime?: number;
  readonly options?: readonly NeighbourOption[];
  /** A multicast listener's group, or the queried one. */
  readonly group?: string;
  /** Milliseconds. */
  readonly maxDelay?: number;
  readonly records?: readonly ListenerRecord[];
  readonly length: number;
}

const icmpv6 = 58;

/** Reads a message; of an error also the packet that it quotes, once. */
export function readIcmpv6<Quoted extends AnyLayer>(
  bytes: Reader,
  packet: Dissection<Icmpv6<Quoted>, Quoted>,
): void {
  const { at: start, end, wireEnd } = bytes;
  if (!bytes.need(4)) return;
  const type = bytes.u8();
  const code = bytes.u8();
  const checksum = bytes.u16();
  const length = wireEnd - start;
  const whole = packet.checksums && end === wireEnd && !packet.fragment && !packet.quoted;
  const pseudo = packet.addressSum + length + icmpv6;
  const sum = whole ? pseudo + sumWords(bytes.bytes, start, end) : 0;
  const checksumStatus = whole ? verify(sum, checksum, pseudo) : 'unverified';
  const common = { protocol: 'icmpv6', type, code, checksum, checksumStatus, length } as const;
  if (type >= 1 && type <= 4) readError(bytes, packet, common);
  else packet.push({ ...common, ...readBody(type, bytes) });
}

function readError<Quoted extends AnyLayer>(
  bytes: Reader,
  packet: Dissection<Icmpv6<Quoted>, Quoted>,
  common: Icmpv6<Quoted>,
): void {
  const value = bytes.u32();
  const extra = common.type === 2 ? { mtu: value } : common.type === 4 ? { pointer: value } : {};
  const message = { ...common, ...extra };
  if (packet.quoted) packet.push(message);
  else packet.pushQuoting((quoted) => ({ ...message, quoted }), 'etherType', 0x86dd, bytes);
}

function readBody(type: number, bytes: Reader): Partial<Icmpv6<never>> {
  switch (type) {
    case 128:
    case 129:
      return { identifier: bytes.u16(), sequence: bytes.u16() };
    case 130: // query; version 2 is longer, which the delay does not show
    case 131:
    case 132: {
      const maxDelay = bytes.u16();
      bytes.skip(2);
      return { maxDelay, group: bytes.ipv6() };
    }
    case 133:
      bytes.skip(4);
      return { options: readNeighbourOptions(bytes) };
    case 134:
      return readRouter(bytes);
    case 135:
      bytes.skip(4);
      return { target: bytes.ipv6(), options: readNeighbourOptions(bytes) };
    case 136: {
      const bits = bytes.u32() >>> 29;
      return {
        flags: named(bits, ['override', 'solicited', 'router']),
        target: bytes.ipv6(),
        options: readNeighbourOptions(bytes),
      };
    }
    case 137:
      bytes.skip(4);
      return { target: bytes.ipv6(), destination: bytes.ipv6(), options: readNeighbourOptions(bytes) };
    case 143:
      return { records: readListenerReport(bytes) };
    default:
      return {};
  }
}

function readRouter(bytes: Reader): Partial<Icmpv6<never>> {
  const hopLimit = bytes.u8();
  const flags = named(bytes.u8() >> 5, ['home agent', 'other', 'managed']);
  const routerLifetime = bytes.u16();
  bytes.skip(8);
  return { hopLimit, flags, routerLifetime, options: readNeighbourOptions(bytes) };
}

function named(bits: number, names: readonly string[]): readonly string[] {
  return names.filter((_, index) => (bits & (1 << index)) !== 0);
}
