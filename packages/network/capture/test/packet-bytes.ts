import { fold, sumWords } from '../src/decode/checksum.ts';

/** Builders of packets from their fields, innermost last; checksums and lengths are right unless told otherwise. */

/** Bytes, or bytes with a checksum over the pseudo-header of what is around them. */
export type Payload = Uint8Array | ((pseudo: Pseudo) => Uint8Array);
type Pseudo = (protocol: number, length: number) => number;

export const u8 = (...values: number[]): Buffer => Buffer.from(values);
export const u16 = (...values: number[]): Buffer =>
  cat(...values.map((value) => u8(value >> 8, value & 0xff)));
export const u24 = (value: number): Buffer => u8((value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff);
export const u32 = (...values: number[]): Buffer =>
  cat(...values.map((value) => u16(value >>> 16, value & 0xffff)));
export const u32le = (value: number): Buffer => Buffer.from([...u32(value)].toReversed());
export const text = (value: string): Buffer => Buffer.from(value, 'latin1');
export const hex = (value: string): Buffer => Buffer.from(value.replaceAll(' ', ''), 'hex');
export const cat = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);
export const zeros = (size: number): Buffer => Buffer.alloc(size);

export const macA = '02:00:00:00:00:0a';
export const macB = '02:00:00:00:00:0b';
export const mac = (value: string): Buffer => hex(value.replaceAll(':', ''));
export const ip4 = (value: string): Buffer => u8(...value.split('.').map(Number));

function groups(part: string): number[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
}

export function ip6(value: string): Buffer {
  const [head = '', tail] = value.split('::');
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  return u16(...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after);
}

export function ethernet(etherType: number, payload: Uint8Array, source = macA, destination = macB): Buffer {
  return cat(mac(destination), mac(source), u16(etherType), payload);
}

/** An IEEE 802.3 frame: the length in place of the type. */
export function llc(destination: number, source: number, control: number, payload: Uint8Array): Buffer {
  return ethernet(payload.length + 3, cat(u8(destination, source, control), payload));
}

export const tag = (id: number, priority: number, etherType: number, payload: Uint8Array): Buffer =>
  cat(u16((priority << 13) | id, etherType), payload);

const finish = (payload: Payload, pseudo: Pseudo): Uint8Array =>
  typeof payload === 'function' ? payload(pseudo) : payload;

export type Ipv4Fields = {
  readonly source?: string;
  readonly destination?: string;
  readonly ttl?: number;
  readonly id?: number;
  /** Flags and offset, as they are. */
  readonly fragment?: number;
  readonly service?: number;
  readonly options?: Uint8Array;
  readonly checksum?: number;
  readonly totalLength?: number;
};

export function ipv4(protocol: number, payload: Payload, fields: Ipv4Fields = {}): Buffer {
  const source = ip4(fields.source ?? '10.0.0.1');
  const destination = ip4(fields.destination ?? '10.0.0.2');
  const options = fields.options ?? zeros(0);
  const addresses = cat(source, destination);
  const body = finish(payload, (number, length) => sumWords(addresses, 0, 8) + number + length);
  const size = 20 + options.length;
  const start = u8(0x40 | (size / 4), fields.service ?? 0);
  const length = u16(fields.totalLength ?? size + body.length);
  const middle = cat(u16(fields.id ?? 1, fields.fragment ?? 0x4000), u8(fields.ttl ?? 64, protocol));
  const before = cat(start, length, middle);
  const sum = sumWords(before, 0, before.length) + sumWords(cat(addresses, options), 0, 8 + options.length);
  return cat(before, u16(fields.checksum ?? ~fold(sum) & 0xffff), addresses, options, body);
}

export type Ipv6Fields = {
  readonly source?: string;
  readonly destination?: string;
  readonly hopLimit?: number;
  readonly flow?: number;
  readonly traffic?: number;
  readonly payloadLength?: number;
  /** Where the transport goes in the end, behind a routing header. */
  readonly final?: string;
};

export function ipv6(next: number, payload: Payload, fields: Ipv6Fields = {}): Buffer {
  const source = ip6(fields.source ?? '2001:db8::1');
  const destination = ip6(fields.destination ?? '2001:db8::2');
  const final = fields.final === undefined ? destination : ip6(fields.final);
  const addresses = cat(source, final);
  const body = finish(payload, (number, length) => sumWords(addresses, 0, 32) + number + length);
  const first = (0x60000000 | ((fields.traffic ?? 0) << 20) | (fields.flow ?? 0)) >>> 0;
  const length = u16(fields.payloadLength ?? body.length);
  return cat(u32(first), length, u8(next, fields.hopLimit ?? 64), source, destination, body);
}

/** An extension header before a payload that keeps its pseudo-header. */
export function before(header: (length: number) => Uint8Array, payload: Payload): Payload {
  return (pseudo) => {
    const body = finish(payload, pseudo);
    return cat(header(body.length), body);
  };
}

/** Puts the checksum of bytes and pseudo-header at `at`. */
export function summed(bytes: Buffer, at: number, protocol: number, cover: number = bytes.length): Payload {
  return (pseudo) => {
    const sum = pseudo(protocol, bytes.length) + sumWords(bytes, 0, cover);
    const copy = Buffer.from(bytes);
    copy.writeUInt16BE(~fold(sum) & 0xffff || 0xffff, at);
    return copy;
  };
}

/** The internet checksum at `at`, without a pseudo-header. */
export function plainSum(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(~fold(sumWords(bytes, 0, bytes.length)) & 0xffff, at);
  return copy;
}

export type TcpFields = {
  readonly source?: number;
  readonly destination?: number;
  readonly sequence?: number;
  readonly acknowledgment?: number;
  readonly flags?: number;
  readonly window?: number;
  readonly urgent?: number;
  readonly options?: Uint8Array;
};

export function tcpBytes(fields: TcpFields, payload: Uint8Array = zeros(0)): Buffer {
  const options = fields.options ?? zeros(0);
  const words = u16((((20 + options.length) / 4) << 12) | (fields.flags ?? 0x10), fields.window ?? 512, 0);
  return cat(
    u16(fields.source ?? 40000, fields.destination ?? 9000),
    u32(fields.sequence ?? 1000, fields.acknowledgment ?? 2000),
    words,
    u16(fields.urgent ?? 0),
    options,
    payload,
  );
}

export const tcp = (fields: TcpFields, payload?: Uint8Array): Payload =>
  summed(tcpBytes(fields, payload), 16, 6);

export function udp(source: number, destination: number, payload: Uint8Array): Payload {
  return summed(udpBytes(source, destination, payload), 6, 17);
}

/** Without a checksum. */
export function udpBytes(source: number, destination: number, payload: Uint8Array): Buffer {
  return cat(u16(source, destination, payload.length + 8, 0), payload);
}

export const icmp = (type: number, code: number, rest: Uint8Array): Buffer =>
  plainSum(cat(u8(type, code), u16(0), rest), 2);

export const icmpv6 = (type: number, code: number, rest: Uint8Array): Payload =>
  summed(cat(u8(type, code), u16(0), rest), 2, 58);
