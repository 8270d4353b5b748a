import { type ChecksumStatus, sumWords, verify } from '../checksum.ts';
import type { AnyLayer, Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';

/** Internet Control Message Protocol (RFC 792). */
export interface Icmp<Quoted extends AnyLayer = AnyLayer> {
  readonly protocol: 'icmp';
  readonly type: number;
  readonly code: number;
  readonly checksum: number;
  readonly checksumStatus: ChecksumStatus;
  readonly identifier?: number;
  readonly sequence?: number;
  /** Of the next hop, where fragmentation is needed (RFC 1191). */
  readonly mtu?: number;
  readonly gateway?: string;
  /** Byte of the quoted packet that is wrong. */
  readonly pointer?: number;
  /** The packet that an error is about, as far as it is quoted. */
  readonly quoted?: readonly Quoted[];
  readonly length: number;
}

const unreachable = 3;
const redirect = 5;
const timeExceeded = 11;
const parameterProblem = 12;
/** Echo, timestamp, information, address mask, extended echo. */
const withIdentifier: ReadonlySet<number> = new Set([0, 8, 13, 14, 15, 16, 17, 18, 42, 43]);
const fragmentationNeeded = 4;

/** Reads a message; of an error also the packet that it quotes, once. */
export function readIcmp<Quoted extends AnyLayer>(
  bytes: Reader,
  packet: Dissection<Icmp<Quoted>, Quoted>,
): void {
  const { at: start, end, wireEnd } = bytes;
  if (!bytes.need(8)) return;
  const type = bytes.u8();
  const code = bytes.u8();
  const checksum = bytes.u16();
  const whole = packet.checksums && end === wireEnd && !packet.fragment && !packet.quoted;
  const checksumStatus = whole ? verify(sumWords(bytes.bytes, start, end), checksum, 0) : 'unverified';
  const common = { protocol: 'icmp', type, code, checksum, checksumStatus, length: wireEnd - start } as const;
  if (withIdentifier.has(type)) {
    packet.push({ ...common, identifier: bytes.u16(), sequence: bytes.u16() });
    return;
  }
  if (type === unreachable) {
    bytes.skip(2);
    const mtu = bytes.u16();
    pushError(bytes, packet, code === fragmentationNeeded ? { ...common, mtu } : common);
  } else if (type === redirect) pushError(bytes, packet, { ...common, gateway: bytes.ipv4() });
  else if (type === timeExceeded || type === 4) {
    bytes.skip(4);
    pushError(bytes, packet, common);
  } else if (type === parameterProblem) {
    const pointer = bytes.u8();
    bytes.skip(3);
    pushError(bytes, packet, { ...common, pointer });
  } else packet.push(common);
}

function pushError<Quoted extends AnyLayer>(
  bytes: Reader,
  packet: Dissection<Icmp<Quoted>, Quoted>,
  message: Icmp<Quoted>,
): void {
  if (packet.quoted) packet.push(message); // an error about an error: RFC 1122 forbids it
  else {
    packet.pushQuoting((quoted) => ({ ...message, quoted }), 'etherType', 0x0800, bytes);
  }
}
