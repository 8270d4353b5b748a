import { Secret } from '@nodecore/sys';

import { Authv1Error } from './errors.ts';

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const begin = Buffer.from('-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n');
const end = Buffer.from('-----END PGP PRIVATE KEY BLOCK-----\n');
const newline = 0x0a;
const equals = 0x3d;
const lineLength = 64;

/** A private key as text, in bytes that can be wiped (RFC 9580, 6.2). The caller disposes it. */
export function armor(key: Secret): Secret {
  const { bytes } = key;
  const characters = Math.ceil(bytes.length / 3) * 4;
  const lines = Math.ceil(characters / lineLength);
  const text = Secret.zeros(begin.length + characters + lines + 6 + end.length);
  text.bytes.set(begin);
  let place = begin.length;
  let column = 0;
  const put = (byte: number): void => {
    text.bytes[place++] = byte;
  };
  for (let from = 0; from < bytes.length; from += 3) {
    if (column === lineLength) {
      put(newline);
      column = 0;
    }
    for (const byte of four(bytes.subarray(from, from + 3))) put(byte);
    column += 4;
  }
  put(newline);
  put(equals);
  const checksum = crc24(bytes);
  for (const byte of four(Buffer.of(checksum >> 16, checksum >> 8, checksum))) put(byte);
  put(newline);
  text.bytes.set(end, place);
  return text;
}

/** The key in an armored text, or the bytes themselves where they are no text. The caller disposes it. */
export function dearmor(text: Secret): Secret {
  const { bytes } = text;
  const start = bytes.indexOf('-----BEGIN PGP PRIVATE KEY BLOCK-----');
  if (start === -1) return text.clone();
  const blank = [bytes.indexOf('\n\n', start), bytes.indexOf('\r\n\r\n', start)].filter((at) => at !== -1);
  const stop = bytes.indexOf('-----END', start);
  if (blank.length === 0 || stop === -1) throw unreadable();
  const body = bytes.subarray(Math.min(...blank), stop);
  const key = Secret.zeros(Math.ceil((body.length * 3) / 4));
  let [bits, count, size] = [0, 0, 0];
  for (const byte of body) {
    if (byte === equals) break; // padding, or the checksum, which proves nothing
    if (byte <= 0x20) continue;
    const value = alphabet.indexOf(byte);
    if (value === -1) {
      key[Symbol.dispose]();
      throw unreadable();
    }
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      key.bytes[size++] = (bits >> count) & 0xff;
    }
  }
  const whole = Secret.copy(key.bytes.subarray(0, size));
  key[Symbol.dispose]();
  return whole;
}

function four(bytes: Uint8Array): number[] {
  const [a = 0, b = 0, c = 0] = bytes;
  const all = (a << 16) | (b << 8) | c;
  return [18, 12, 6, 0].map((shift, index) =>
    index <= bytes.length ? alphabet[(all >> shift) & 63]! : equals,
  );
}

/** RFC 9580, 6.1.1. */
function crc24(bytes: Uint8Array): number {
  let crc = 0xb704ce;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit += 1) {
      crc <<= 1;
      if ((crc & 0x1000000) !== 0) crc ^= 0x1864cfb;
    }
  }
  return crc & 0xffffff;
}

function unreadable(): Authv1Error {
  return new Authv1Error('ERR_AUTHV1_KEY', 'not an OpenPGP private key');
}
