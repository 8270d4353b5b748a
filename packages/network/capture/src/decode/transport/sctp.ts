import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

export type SctpChunk = {
  readonly type: number;
  readonly name: string;
  readonly flags: number;
  /** Bytes, header included, without padding. */
  readonly length: number;
  /** Of `DATA`; the first one of `INIT` and `INIT ACK`; the acknowledged one of `SACK`. */
  readonly tsn?: number;
  readonly stream?: number;
  readonly streamSequence?: number;
  readonly payloadProtocol?: number;
  readonly initiateTag?: number;
};

/** Stream Control Transmission Protocol (RFC 9260). */
export type Sctp = {
  readonly protocol: 'sctp';
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly verificationTag?: number;
  /** CRC32c; not verified. */
  readonly checksum?: number;
  readonly chunks: readonly SctpChunk[];
};

const names: readonly string[] = [
  'DATA',
  'INIT',
  'INIT ACK',
  'SACK',
  'HB REQ',
  'HB ACK',
  'ABORT',
  'SHUTDOWN',
  'SHUTDOWN ACK',
  'ERROR',
  'COOKIE ECHO',
  'COOKIE ACK',
  'ECNE',
  'CWR',
  'SHUTDOWN COMPLETE',
  'AUTH',
];
const otherNames: ReadonlyMap<number, string> = new Map([
  [64, 'I-DATA'],
  [0x80, 'ASCONF-ACK'],
  [0x82, 'RE-CONFIG'],
  [0x84, 'PAD'],
  [0xc0, 'FORWARD TSN'],
  [0xc1, 'ASCONF'],
  [0xc2, 'I-FORWARD-TSN'],
]);
const maxChunks = 64;

/** Reads the header and its chunks; user data is not looked at. */
export function readSctp(bytes: Reader, packet: Dissection<Sctp>): void {
  if (!bytes.need(4)) return;
  const sourcePort = bytes.u16();
  const destinationPort = bytes.u16();
  packet.setPorts(sourcePort, destinationPort);
  if (!bytes.need(8)) {
    packet.push({ protocol: 'sctp', sourcePort, destinationPort, chunks: [] });
    return;
  }
  const verificationTag = bytes.u32();
  const checksum = bytes.u32();
  const chunks: SctpChunk[] = [];
  while (bytes.wireLeft > 0 && chunks.length < maxChunks && bytes.need(4)) {
    const type = bytes.u8();
    const flags = bytes.u8();
    const length = bytes.u16();
    if (length < 4) {
      bytes.damage(`chunk of ${length} bytes`);
      break;
    }
    const value = bytes.part(length - 4);
    const name = names[type] ?? otherNames.get(type) ?? `chunk ${type}`;
    chunks.push({ type, name, flags, length, ...readChunk(type, value) });
    bytes.part(Math.min((4 - (length % 4)) % 4, bytes.wireLeft));
  }
  packet.push({ protocol: 'sctp', sourcePort, destinationPort, verificationTag, checksum, chunks });
}

function readChunk(type: number, value: Reader): Partial<SctpChunk> {
  if (type === 0) {
    if (!value.need(12)) return {};
    const tsn = value.u32();
    const stream = value.u16();
    return { tsn, stream, streamSequence: value.u16(), payloadProtocol: value.u32() };
  }
  if (type === 1 || type === 2) {
    if (!value.need(16)) return {};
    const initiateTag = value.u32();
    value.skip(8);
    return { initiateTag, tsn: value.u32() };
  }
  return type === 3 && value.need(4) ? { tsn: value.u32() } : {};
}

/** `sctp (1) …`, one number and name for each chunk; from verbose 1 on with the verification tag. */
export function sctpLine({ verificationTag, chunks }: Sctp, verbose: number): string {
  const tag =
    verbose === 0 || verificationTag === undefined ? '' : ` (vtag ${hexNumber(verificationTag, 8)})`;
  return `sctp${tag}${chunks.map((chunk, index) => ` (${index + 1}) ${chunkText(chunk)}`).join('')}`;
}

function chunkText({
  name,
  length,
  tsn,
  stream,
  streamSequence,
  payloadProtocol,
  initiateTag,
}: SctpChunk): string {
  const parts = [`[${name}]`];
  if (initiateTag !== undefined) parts.push(`[init tag: ${initiateTag}]`);
  if (tsn !== undefined) parts.push(`[TSN: ${tsn}]`);
  if (stream !== undefined) parts.push(`[SID: ${stream}] [SSEQ ${streamSequence}] [PPID ${payloadProtocol}]`);
  return parts.length === 1 ? parts[0]! : `${parts.join(' ')} [len ${length}]`;
}
