import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** A QUIC packet with a long header (RFC 8999, RFC 9000): what is neither encrypted nor protected. */
export type Quic = {
  readonly protocol: 'quic';
  readonly type: string;
  readonly version: number;
  /** Connection ids in hex digits. */
  readonly destinationId: string;
  readonly sourceId: string;
  /** Offered in a version negotiation. */
  readonly versions?: readonly number[];
  readonly length: number;
};

const version1 = 1;
const version2 = 0x6b3343cf;
const types = ['initial', '0-rtt', 'handshake', 'retry'];
const longestId = 20;
const maxVersions = 16;

/** Whether the bytes begin as a long header does: RFC 8999 fixes only the first bit, so the version must be known. */
export function looksLikeQuic(bytes: Reader): boolean {
  const first = bytes.peek() ?? 0;
  if ((first & 0x80) === 0 || bytes.wireLeft < 7) return false;
  const version =
    (((bytes.peek(1) ?? 0xff) << 24) |
      ((bytes.peek(2) ?? 0xff) << 16) |
      ((bytes.peek(3) ?? 0xff) << 8) |
      (bytes.peek(4) ?? 0xff)) >>>
    0;
  const known = version === version1 || version === version2 || version >>> 8 === 0xff0000;
  return (known && (first & 0x40) !== 0) || version === 0;
}

/** Reads the long header of a QUIC packet; what is behind it is encrypted. */
export function readQuic(bytes: Reader, packet: Dissection<Quic>): void {
  const length = bytes.wireLeft;
  if (!bytes.need(6)) return;
  const first = bytes.u8();
  const version = bytes.u32();
  const readId = (): string => {
    const size = bytes.u8();
    // Versions to come may have longer ones; those that are known do not.
    if (size > longestId && version !== 0) bytes.damage(`connection id of ${size} bytes`);
    return bytes.hex(size);
  };
  const destinationId = readId();
  const sourceId = readId();
  if (bytes.short) return;
  if (version === 0) {
    const versions: number[] = [];
    while (bytes.left >= 4 && versions.length < maxVersions) versions.push(bytes.u32());
    const type = 'version negotiation';
    packet.push({ protocol: 'quic', type, version, destinationId, sourceId, versions, length });
    return;
  }
  // RFC 9369, section 3.2: version 2 counts from retry.
  const number = (first >> 4) & 3;
  const type = types[version === version2 ? (number + 3) % 4 : number] ?? '';
  packet.push({ protocol: 'quic', type, version, destinationId, sourceId, length });
}

/** `QUIC v1 initial, dcid …, scid …, length 1200`, or the versions that a server offers. */
export function quicLine(quic: Quic): string {
  const { type, version, destinationId, sourceId, versions, length } = quic;
  const number = version === 1 ? 'v1' : version === version2 ? 'v2' : hexNumber(version, 8);
  const head = versions === undefined ? `QUIC ${number} ${type}` : `QUIC ${type}`;
  const offered =
    versions === undefined ? '' : `, versions ${versions.map((each) => hexNumber(each, 8)).join(' ')}`;
  return `${head}, dcid ${destinationId}, scid ${sourceId}${offered}, length ${length}`;
}
