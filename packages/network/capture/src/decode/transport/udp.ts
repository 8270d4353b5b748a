import { type ChecksumStatus, sumWords, verify } from '../checksum.ts';
import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** User Datagram Protocol (RFC 768), and UDP-Lite (RFC 3828). */
export type Udp = {
  readonly protocol: 'udp' | 'udp-lite';
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Bytes, header included; absent where only the ports are quoted. */
  readonly totalLength?: number;
  /** Bytes that UDP-Lite's checksum covers. */
  readonly coverage?: number;
  readonly checksum?: number;
  readonly checksumStatus?: ChecksumStatus;
  /** Bytes of payload. */
  readonly length?: number;
};

const udp = 17;
const udpLite = 136;

/** Reads the header; what is above is found by ports, then by what its bytes look like. */
export function readUdp(bytes: Reader, packet: Dissection<Udp>): void {
  const { at: start } = bytes;
  if (!bytes.need(4)) return;
  const sourcePort = bytes.u16();
  const destinationPort = bytes.u16();
  if (!bytes.need(4)) {
    packet.push({ protocol: 'udp', sourcePort, destinationPort });
    return;
  }
  const totalLength = bytes.u16();
  const checksum = bytes.u16();
  // RFC 2675: a jumbogram's length is that of the packet.
  const length = totalLength === 0 ? bytes.wireLeft : totalLength - 8;
  if (length < 0) {
    packet.push({ protocol: 'udp', sourcePort, destinationPort });
    return bytes.damage(`length ${totalLength}`);
  }
  const payload = bytes.part(length);
  const whole = packet.checksums && payload.end === start + 8 + length && !packet.fragment && !packet.quoted;
  const pseudo = packet.addressSum + length + 8 + udp;
  const sum = whole ? pseudo + sumWords(bytes.bytes, start, payload.end) : 0;
  const checksumStatus = checksum === 0 ? 'absent' : whole ? verify(sum, checksum, pseudo) : 'unverified';
  packet.push({
    protocol: 'udp',
    sourcePort,
    destinationPort,
    totalLength,
    checksum,
    checksumStatus,
    length,
  });
  follow(sourcePort, destinationPort, payload, packet);
}

/** Reads the same header, whose length says how far the checksum goes (RFC 3828). */
export function readUdpLite(bytes: Reader, packet: Dissection<Udp>): void {
  const { at: start, end, wireEnd } = bytes;
  if (!bytes.need(8)) return;
  const sourcePort = bytes.u16();
  const destinationPort = bytes.u16();
  const coverage = bytes.u16();
  const checksum = bytes.u16();
  const total = wireEnd - start;
  const covered = coverage === 0 ? total : coverage;
  if (covered < 8 || covered > total) return bytes.damage(`checksum coverage ${coverage} of ${total} bytes`);
  const whole = packet.checksums && start + covered <= end && !packet.fragment && !packet.quoted;
  const pseudo = packet.addressSum + total + udpLite;
  const sum = whole ? pseudo + sumWords(bytes.bytes, start, start + covered) : 0;
  const checksumStatus = whole ? verify(sum, checksum, pseudo) : 'unverified';
  const length = total - 8;
  packet.push({
    protocol: 'udp-lite',
    sourcePort,
    destinationPort,
    coverage,
    checksum,
    checksumStatus,
    length,
  });
  follow(sourcePort, destinationPort, bytes, packet);
}

function follow(sourcePort: number, destinationPort: number, payload: Reader, packet: Dissection<Udp>): void {
  packet.setPorts(sourcePort, destinationPort);
  packet.next('udp', 0, payload);
}

/** `application`: a layer above is shown, and says the length itself. */
export function udpLine(layer: Udp, verbose: number, application: boolean): string {
  const checksum = verbose === 0 ? '' : checksumText(layer);
  if (application) return checksum === '' ? '' : `[${checksum}]`;
  const name = layer.protocol === 'udp' ? 'UDP' : 'UDP-Lite';
  const coverage = layer.coverage === undefined ? '' : `, coverage ${layer.coverage}`;
  const length = layer.length === undefined ? '' : `, length ${layer.length}`;
  return `${checksum === '' ? '' : `[${checksum}] `}${name}${coverage}${length}`;
}

function checksumText({ checksum = 0, checksumStatus = 'unverified' }: Udp): string {
  if (checksumStatus === 'correct') return 'udp sum ok';
  if (checksumStatus === 'absent') return 'no cksum';
  if (checksumStatus === 'unverified') return '';
  return `${checksumStatus} udp cksum ${hexNumber(checksum, 4)}`;
}
