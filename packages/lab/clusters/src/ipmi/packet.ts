import { timingSafeEqual } from 'node:crypto';

import { type CipherSuite, code, decrypt, encrypt } from './suite.ts';

/** What a packet carries (IPMI 2.0, 13.27.3). */
export const payloads = {
  message: 0,
  open: 0x10,
  opened: 0x11,
  rakp1: 0x12,
  rakp2: 0x13,
  rakp3: 0x14,
  rakp4: 0x15,
} as const;

/** A packet of RMCP+, or one of IPMI 1.5, which has no session of ours. */
export type Packet = {
  readonly format: 'rmcp+' | '1.5';
  readonly type: number;
  readonly session: number;
  readonly sequence: number;
  readonly payload: Buffer;
};

/** What a session's packets are sealed with. */
export type SessionKeys = { readonly suite: CipherSuite; readonly codes: Buffer; readonly secrecy: Buffer };

/** Version 1.0, no sequence, IPMI. */
const rmcp = Buffer.from([6, 0, 0xff, 7]);
const rmcpPlus = 6;
const headBytes = 12;
const nextHeader = 7;
const encrypted = 0x80;
const authenticated = 0x40;

/**
 * A packet from its bytes; undefined for what is none, and for one of a session that is not sealed with its keys: both are passed over.
 *
 * @param keysOf of a session that was begun.
 */
export function parsePacket(
  bytes: Buffer,
  keysOf: (session: number) => SessionKeys | undefined,
): Packet | undefined {
  if (bytes.length < 14 || !bytes.subarray(0, 4).equals(rmcp)) return undefined;
  const body = bytes.subarray(4);
  return body.readUInt8(0) === rmcpPlus ? parsePlus(body, keysOf) : parseOld(body);
}

function parseOld(body: Buffer): Packet | undefined {
  const [authentication, session] = [body.readUInt8(0), body.readUInt32LE(5)];
  const payload = body.subarray(10, 10 + body.readUInt8(9));
  if (authentication !== 0 || session !== 0 || payload.length !== body.readUInt8(9)) return undefined;
  return { format: '1.5', type: payloads.message, session, sequence: 0, payload };
}

function parsePlus(body: Buffer, keysOf: (session: number) => SessionKeys | undefined): Packet | undefined {
  if (body.length < headBytes) return undefined;
  const flags = body.readUInt8(1);
  const session = body.readUInt32LE(2);
  const sequence = body.readUInt32LE(6);
  const end = headBytes + body.readUInt16LE(10);
  if (end > body.length) return undefined;
  const head = { format: 'rmcp+', type: flags & 0x3f, session, sequence } as const;
  const payload = body.subarray(headBytes, end);
  if (session === 0) return (flags & (encrypted | authenticated)) === 0 ? { ...head, payload } : undefined;
  const keys = keysOf(session);
  if (keys === undefined || (flags & authenticated) === 0 || (flags & encrypted) === 0) return undefined;
  const codeAt = body.length - keys.suite.codeBytes;
  if (codeAt < end + 2) return undefined;
  const expected = code(keys.suite, keys.codes, body.subarray(0, codeAt));
  if (!timingSafeEqual(expected, body.subarray(codeAt))) return undefined;
  const plain = decrypt(keys.secrecy, payload);
  return plain === undefined ? undefined : { ...head, payload: plain };
}

/** The bytes of a packet. @param keys of its session, when it was begun */
export function packetBytes(
  { format, type, session, sequence, payload }: Packet,
  keys?: SessionKeys,
): Buffer {
  if (format === '1.5') return Buffer.concat([rmcp, Buffer.alloc(9), Buffer.from([payload.length]), payload]);
  const body = keys === undefined ? payload : encrypt(keys.secrecy, payload);
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(rmcpPlus, 0);
  head.writeUInt8(type | (keys === undefined ? 0 : encrypted | authenticated), 1);
  head.writeUInt32LE(session, 2);
  head.writeUInt32LE(sequence, 6);
  head.writeUInt16LE(body.length, 10);
  if (keys === undefined) return Buffer.concat([rmcp, head, body]);
  const padBytes = (4 - ((headBytes + body.length + 2) % 4)) % 4;
  const trailer = Buffer.from([...Array.from({ length: padBytes }, () => 0xff), padBytes, nextHeader]);
  const sealed = Buffer.concat([head, body, trailer]);
  return Buffer.concat([rmcp, sealed, code(keys.suite, keys.codes, sealed)]);
}
