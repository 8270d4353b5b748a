import type { Ends } from './socket-table.ts';
import { endsOf } from './packet-ends.ts';

/** Where the type of what follows and the header of IP are in a packet, by link type: Ethernet, and `any` (SLL2). */
const places: Readonly<Record<number, { readonly type: number; readonly ip: number } | undefined>> = {
  1: { type: 12, ip: 14 },
  276: { type: 0, ip: 20 },
};
const ipv4 = 0x0800;
const ipv6 = 0x86dd;
const tcp = 6;
const udp = 17;
/** So much of a header of TCP or UDP is there in a packet that is whole. */
const transportBytes: Readonly<Record<number, number | undefined>> = { [tcp]: 20, [udp]: 8 };

/** A packet in the bytes of others. */
export type PlacedPacket = {
  readonly at: number;
  readonly end: number;
  readonly originalBytes: number;
  readonly linkType: number;
};

/**
 * Ends of packets. Most are of connections that others were of before: protocol, addresses and ports stand one behind the other,
 * and a packet with the same ones there needs no decoding.
 */
export class KnownEnds {
  readonly #known = new Map<string, Ends>();
  readonly #max: number;

  /** @param max of connections that are remembered; the oldest are forgotten. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The ends of a packet; undefined for what no socket of TCP or UDP sends. */
  of(bytes: Buffer, packet: PlacedPacket): Ends | undefined {
    const key = keyOfHeaders(bytes, packet);
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known !== undefined) return known;
    const { at, end, originalBytes, linkType } = packet;
    const ends = endsOf({ time: 0n, originalBytes, data: bytes.subarray(at, end), linkType });
    if (key === undefined || ends === undefined) return ends;
    if (this.#known.size >= this.#max)
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    this.#known.set(key, ends);
    return ends;
  }
}

/** Undefined where anything stands between the headers, or not all of them are there: options, tags, pieces of a datagram. */
function keyOfHeaders(bytes: Buffer, { at, end, linkType }: PlacedPacket): string | undefined {
  const place = places[linkType];
  if (place === undefined || end - at < place.ip + 1) return undefined;
  const type = bytes.readUInt16BE(at + place.type);
  const ip = at + place.ip;
  if (type === ipv4) {
    const isPlain = end >= ip + 20 && bytes[ip] === 0x45 && (bytes.readUInt16BE(ip + 6) & 0x3fff) === 0;
    return isPlain
      ? keyAt(bytes, { protocol: ip + 9, addresses: ip + 12, transport: ip + 20, end })
      : undefined;
  }
  if (type !== ipv6 || end < ip + 40) return undefined;
  return keyAt(bytes, { protocol: ip + 6, addresses: ip + 8, transport: ip + 40, end });
}

function keyAt(
  bytes: Buffer,
  at: Readonly<Record<'protocol' | 'addresses' | 'transport' | 'end', number>>,
): string | undefined {
  const protocol = bytes[at.protocol] ?? 0;
  const needed = transportBytes[protocol];
  if (needed === undefined || at.transport + needed > at.end) return undefined;
  const ends = bytes.toString('latin1', at.addresses, at.transport + 4); // the length tells 4 from 6
  return protocol === tcp ? `t${ends}` : `u${ends}`;
}
