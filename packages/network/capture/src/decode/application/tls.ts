import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { readHello, type TlsHello } from './tls-hello.ts';

export type TlsHandshake = {
  readonly type: number;
  readonly name: string;
  readonly length: number;
} & Partial<TlsHello>;

export type TlsRecord = {
  readonly type: number;
  readonly name: string;
  readonly version: number;
  readonly length: number;
  /** Messages that can be read; none where the handshake is encrypted. */
  readonly handshakes?: readonly TlsHandshake[];
  readonly alert?: { readonly level: number; readonly description: number };
  /** The rest of the record is in other segments. */
  readonly continued?: true;
};

/** Transport layer security (RFC 8446; RFC 5246 before): records, and what handshakes say in the open. */
export type Tls = {
  readonly protocol: 'tls';
  readonly records: readonly TlsRecord[];
  readonly length: number;
};

/** Content type of a record (RFC 8446, section 5.1), as those below. */
export const changeCipherSpec = 20;
/** Content type of alerts. */
export const alert = 21;
/** Content type of the handshake, also of its hellos, which are read. */
export const handshake = 22;
/** Content type of heartbeats (RFC 6520). */
export const heartbeat = 24;
/** RFC 8446, section 5.2: a record's content, and what encryption may add; older versions 2048. */
const longestRecord = 16_384 + 2048;
const maxRecords = 32;
const maxHandshakes = 16;

const recordNames: ReadonlyMap<number, string> = new Map([
  [changeCipherSpec, 'change cipher spec'],
  [alert, 'alert'],
  [handshake, 'handshake'],
  [23, 'application data'],
  [heartbeat, 'heartbeat'],
]);

const handshakeNames: ReadonlyMap<number, string> = new Map([
  [0, 'hello request'],
  [1, 'client hello'],
  [2, 'server hello'],
  [4, 'new session ticket'],
  [8, 'encrypted extensions'],
  [11, 'certificate'],
  [12, 'server key exchange'],
  [13, 'certificate request'],
  [14, 'server hello done'],
  [15, 'certificate verify'],
  [16, 'client key exchange'],
  [20, 'finished'],
  [22, 'certificate status'],
  [24, 'key update'],
]);

/** Whether the bytes begin as a record does. */
export function looksLikeTls(bytes: Reader): boolean {
  const type = bytes.peek() ?? 0;
  if (type < changeCipherSpec || type > heartbeat) return false;
  const length = ((bytes.peek(3) ?? 0) << 8) | (bytes.peek(4) ?? 0);
  return bytes.peek(1) === 3 && (bytes.peek(2) ?? 255) <= 4 && length > 0 && length <= longestRecord;
}

/** Reads the records of a segment, and of the handshake what is not encrypted. */
export function readTls(bytes: Reader, packet: Dissection<Tls>): void {
  const length = bytes.wireLeft;
  const records: TlsRecord[] = [];
  let encrypted = false;
  while (looksLikeTls(bytes) && records.length < maxRecords) {
    const type = bytes.u8();
    const version = bytes.u16();
    const size = bytes.u16();
    const continued = size > bytes.wireLeft;
    // What is encrypted may be cut without harm.
    const body = type === handshake && !encrypted ? bytes.slice(size, true) : bytes.part(size, true);
    const common = {
      type,
      name: recordNames.get(type) ?? String(type),
      version,
      length: size,
      ...(continued ? { continued } : {}),
    };
    if (type === changeCipherSpec) encrypted = true;
    if (type === handshake && !encrypted) records.push({ ...common, handshakes: readHandshakes(body) });
    else if (type === alert && size === 2 && body.left === 2) {
      records.push({ ...common, alert: { level: body.u8(), description: body.u8() } });
    } else records.push(common);
  }
  packet.push({ protocol: 'tls', records, length });
}

function readHandshakes(body: Reader): readonly TlsHandshake[] {
  const messages: TlsHandshake[] = [];
  while (body.left >= 4 && messages.length < maxHandshakes) {
    const type = body.u8();
    const length = body.u24();
    const name = handshakeNames.get(type);
    // After the keys have changed the bytes are noise: no name, or a length beyond any record.
    if (name === undefined || (length > 0xffff && type !== 11)) break;
    const message = body.slice(length, true);
    const hello = type === 1 || type === 2 ? readHello(type === 1, message) : {};
    messages.push({ type, name, length, ...hello });
  }
  return messages;
}
