import { createHash, timingSafeEqual } from 'node:crypto';

import { Secret } from '@nodecore/sys';

import { KeyServerError } from '../errors.ts';
import { readHex, writeHex } from './hex.ts';
import { KeyRing, maxRingKeys, type RingKey, type RingKeyState, ringKeyBytes } from './key-ring.ts';

/**
 * The ring as a file has it: lines of ASCII.
 *
 * ```
 * nodecore-kms-ring 1
 * key <id> <state> <created, seconds> <64 hexadecimal digits>
 * sum <SHA-256 of everything above>
 * ```
 *
 * The sum finds a file that was cut or that a disk has changed: a key with a wrong bit would open nothing, and seal
 * what no backup opens.
 */
const title = 'nodecore-kms-ring 1';
const states: readonly RingKeyState[] = ['active', 'previous', 'retired'];
const sumLineBytes = 'sum '.length + 64 + 1;
/** Of a full ring, and no more. */
export const maxRingBytes: number = maxRingKeys * 128 + 256;

/** @returns the bytes of the file, which the caller disposes. */
export function formatRing(ring: KeyRing): Secret {
  const bytes = Buffer.allocUnsafeSlow(maxRingBytes);
  let at = bytes.write(`${title}\n`, 'latin1');
  for (const { id, state, createdSeconds, material } of ring.keys) {
    at += bytes.write(`key ${id} ${state} ${createdSeconds} `, at, 'latin1');
    at = writeHex(bytes, at, material.bytes);
    at += bytes.write('\n', at, 'latin1');
  }
  at += bytes.write(`sum ${sumOf(bytes.subarray(0, at)).toString('hex')}\n`, at, 'latin1');
  const text = Secret.copy(bytes.subarray(0, at));
  bytes.fill(0);
  return text;
}

/** @throws {KeyServerError} `ERR_KMS_RING_DAMAGED`, with the line and without its content. */
export function parseRing(bytes: Buffer, name: string): KeyRing {
  const damaged = (what: string): KeyServerError =>
    new KeyServerError('ERR_KMS_RING_DAMAGED', `${name}: ${what}; take it from a backup`);
  if (bytes.byteLength > maxRingBytes) throw damaged(`larger than ${maxRingBytes} bytes`);
  if (!bytes.subarray(0, title.length + 1).equals(Buffer.from(`${title}\n`)))
    throw damaged(`does not begin with "${title}"`);
  const sumAt = bytes.byteLength - sumLineBytes;
  if (!isSummed(bytes, sumAt)) throw damaged('it was cut or changed: its sum is wrong');
  const keys: RingKey[] = [];
  try {
    let from = title.length + 1;
    for (let line = 2; from < sumAt; line += 1) {
      const end = bytes.indexOf('\n', from);
      const key = keyOf(bytes.subarray(from, end));
      if (key === undefined) throw damaged(`line ${line} is no key`);
      keys.push(key);
      from = end + 1;
    }
    const wrong = wrongIn(keys);
    if (wrong !== undefined) throw damaged(wrong);
    return new KeyRing(keys);
  } catch (error) {
    for (const { material } of keys) material[Symbol.dispose]();
    throw error;
  }
}

function isSummed(bytes: Buffer, sumAt: number): boolean {
  if (sumAt <= title.length) return false;
  const line = /^sum ([0-9a-f]{64})\n$/.exec(bytes.toString('latin1', sumAt));
  if (line?.[1] === undefined || bytes[sumAt - 1] !== 0x0a) return false;
  return timingSafeEqual(sumOf(bytes.subarray(0, sumAt)), Buffer.from(line[1], 'hex'));
}

/** Everything before the key bytes may become a string, they may not. */
function keyOf(line: Buffer): RingKey | undefined {
  const hexAt = line.byteLength - 2 * ringKeyBytes;
  if (hexAt < 0) return undefined;
  const facts = /^key ([0-9a-f]{16}) ([a-z]+) (0|[1-9]\d{0,10}) $/.exec(line.toString('latin1', 0, hexAt));
  const state = states.find((state) => state === facts?.[2]);
  const material = readHex(line.subarray(hexAt));
  if (facts?.[1] === undefined || state === undefined || material === undefined) {
    material?.fill(0);
    return undefined;
  }
  return { id: facts[1], state, createdSeconds: Number(facts[3]), material: Secret.take(material) };
}

function wrongIn(keys: readonly RingKey[]): string | undefined {
  if (keys.length > maxRingKeys) return `more than ${maxRingKeys} keys`;
  if (keys.filter(({ state }) => state === 'active').length !== 1) return 'not exactly one key is active';
  if (new Set(keys.map(({ id }) => id)).size !== keys.length) return 'an id comes twice';
  return undefined;
}

function sumOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
