import { type ChecksumStatus, sumWords, verify } from '../checksum.ts';
import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { readTcpOptions, type TcpOption } from './tcp-options.ts';

export type TcpFlag = 'fin' | 'syn' | 'rst' | 'psh' | 'ack' | 'urg' | 'ece' | 'cwr' | 'ae';

/** Transmission Control Protocol (RFC 9293). */
export type Tcp = {
  readonly protocol: 'tcp';
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Only the ports are there: the rest is not quoted, or cut off. No field below is. */
  readonly partial?: true;
  readonly sequence?: number;
  /** Counted from where the connection was first seen; absent in the packet that begins it. */
  readonly relativeSequence?: number | undefined;
  readonly acknowledgment?: number;
  readonly relativeAcknowledgment?: number | undefined;
  readonly headerBytes?: number;
  /** The nine bits as they are. */
  readonly flagBits?: number;
  readonly flags?: readonly TcpFlag[];
  readonly window?: number;
  readonly checksum?: number;
  readonly checksumStatus?: ChecksumStatus;
  readonly urgentPointer?: number;
  readonly options?: readonly TcpOption[];
  /** Bytes of payload. */
  readonly length?: number;
};

const names: readonly TcpFlag[] = ['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ece', 'cwr', 'ae'];
const flagLists: readonly (readonly TcpFlag[])[] = Array.from({ length: 512 }, (_, bits) =>
  Object.freeze(names.filter((_name, index) => (bits & (1 << index)) !== 0)),
);
const none: readonly TcpOption[] = Object.freeze([]);

/** Flags of the header (RFC 9293): the sender has no more data. */
export const FIN = 1;
/** Sequence numbers begin here. */
export const SYN = 2;
/** The connection is refused or broken off. */
export const RST = 4;
/** The acknowledgment number counts. */
export const ACK = 16;
const tcp = 6;

/** Reads the header; what is above is found by ports, then by what its bytes look like. */
export function readTcp(bytes: Reader, packet: Dissection<Tcp>): void {
  const { at: start, end, wireEnd } = bytes;
  if (!bytes.need(4)) return;
  const sourcePort = bytes.u16();
  const destinationPort = bytes.u16();
  if (!bytes.need(16)) {
    packet.push({ protocol: 'tcp', sourcePort, destinationPort, partial: true });
    return;
  }
  const sequence = bytes.u32();
  const acknowledgment = bytes.u32();
  const word = bytes.u16();
  const window = bytes.u16();
  const checksum = bytes.u16();
  const urgentPointer = bytes.u16();
  const headerBytes = (word >> 12) * 4;
  const flagBits = word & 0x1ff;
  if (headerBytes < 20) {
    packet.push({ protocol: 'tcp', sourcePort, destinationPort, partial: true });
    return bytes.damage(`header length ${headerBytes}`);
  }
  const options = headerBytes === 20 ? none : readTcpOptions(bytes.slice(headerBytes - 20));
  const length = Math.max(0, wireEnd - start - headerBytes);
  const whole = packet.checksums && end === wireEnd && !packet.fragment && !packet.quoted;
  const flow = packet.quoted
    ? undefined
    : relate(packet, sourcePort, destinationPort, sequence, acknowledgment, flagBits);
  packet.push({
    protocol: 'tcp',
    sourcePort,
    destinationPort,
    sequence,
    relativeSequence: flow?.sequence,
    acknowledgment,
    relativeAcknowledgment: flow?.acknowledgment,
    headerBytes,
    flagBits,
    flags: flagLists[flagBits]!,
    window,
    checksum,
    checksumStatus: whole ? checksumOf(bytes.bytes, start, end, packet.addressSum, checksum) : 'unverified',
    urgentPointer,
    options,
    length,
  });
  packet.setPorts(sourcePort, destinationPort);
  packet.next('tcp', 0, bytes.part(length, true));
}

function checksumOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  addressSum: number,
  found: number,
): ChecksumStatus {
  const pseudo = addressSum + (end - start) + tcp;
  return verify(pseudo + sumWords(bytes, start, end), found, pseudo);
}

/** Numbers counted from the beginning of the connection; undefined in the packet that begins it, or without one. */
function relate(
  packet: Dissection<Tcp>,
  sourcePort: number,
  destinationPort: number,
  sequence: number,
  acknowledgment: number,
  flags: number,
): { sequence: number; acknowledgment: number | undefined } | undefined {
  const from = `${packet.source}.${sourcePort}`;
  const to = `${packet.destination}.${destinationPort}`;
  const flow = packet.flows.find(from, to);
  const answers = (flags & ACK) !== 0;
  if ((flags & SYN) !== 0 || flow === undefined) {
    // The answer to a SYN begins the other direction; anything else begins a connection.
    if (flow !== undefined && answers && flow.origin !== from) flow.backward = sequence;
    else packet.flows.begin(from, to, sequence, answers ? (acknowledgment - 1) >>> 0 : undefined);
    return undefined;
  }
  const forward = flow.origin === from;
  // The other end's first segment was not seen: its numbers begin with what is acknowledged, or sent, now.
  if (flow.backward === undefined && (answers || !forward)) {
    flow.backward = ((forward ? acknowledgment : sequence) - 1) >>> 0;
  }
  const backward = flow.backward ?? 0;
  return {
    sequence: (sequence - (forward ? flow.forward : backward)) >>> 0,
    acknowledgment: answers ? (acknowledgment - (forward ? backward : flow.forward)) >>> 0 : undefined,
  };
}
