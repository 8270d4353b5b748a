import type { Reader } from '../reader.ts';

const headerBytes = 12;
/** Types that are asked for in practice: A to SRV, NAPTR, DS, RRSIG, DNSKEY, TLSA, SVCB, HTTPS, AXFR, ANY, CAA. */
const types: ReadonlySet<number> = new Set([
  1, 2, 5, 6, 12, 13, 15, 16, 28, 33, 35, 39, 43, 46, 47, 48, 52, 64, 65, 251, 252, 255, 257,
]);
/** IN, CH, HS, ANY. */
const classes: ReadonlySet<number> = new Set([1, 3, 4, 255]);
const optType = 41;
/** A name of one byte, type, class, time, length. */
const minRecord = 11;
const maxRecords = 256;
/** Response codes up to NOTZONE. */
const maxCode = 10;

/**
 * Whether all bytes are a message as resolvers and servers send it: a standard query, one question about a host-like name of
 * a known type and class, and behind it what the header counts. Strict: on other ports nothing else says that it is one.
 */
export function looksLikeDns(bytes: Reader, ahead = 0): boolean {
  const size = bytes.wireLeft - ahead;
  if (bytes.left !== bytes.wireLeft || size < headerBytes + 5) return false;
  const u8 = (at: number): number => bytes.peek(ahead + at) ?? 0;
  const u16 = (at: number): number => (u8(at) << 8) | u8(at + 1);
  const flags = u16(2);
  const isResponse = (flags & 0x8000) !== 0;
  // Opcode and the reserved bit are 0 in all but updates and notifications.
  if ((flags & 0x7840) !== 0 || (flags & 15) > (isResponse ? maxCode : 0) || u16(4) !== 1) return false;
  if (!isResponse && (flags & 0x0680) !== 0) return false;
  const end = questionEnd(u8, size);
  if (end === undefined || !types.has(u16(end)) || !classes.has(u16(end + 2))) return false;
  const rest = size - (end + 4);
  const [answers, authorities, additionals] = [u16(6), u16(8), u16(10)];
  const records = answers + authorities + additionals;
  if (records === 0) return rest === 0;
  if (records > maxRecords || rest < records * minRecord) return false;
  const at = end + 4;
  if (isResponse) return (u8(at) & 0xc0) === 0xc0 ? (u16(at) & 0x3fff) < at : u8(at) < 64;
  // A query has the options of EDNS behind it, and nothing else.
  return answers + authorities === 0 && additionals === 1 && u8(at) === 0 && u16(at + 1) === optType;
}

/** Over TCP its length comes first. */
export function looksLikeDnsOverTcp(bytes: Reader): boolean {
  const length = ((bytes.peek(0) ?? 0) << 8) | (bytes.peek(1) ?? 0);
  return length === bytes.wireLeft - 2 && looksLikeDns(bytes, 2);
}

/** Where the name of the question ends; undefined for one that no host or service has. */
function questionEnd(u8: (at: number) => number, size: number): number | undefined {
  let at = headerBytes;
  for (let length = u8(at); length !== 0; length = u8(at)) {
    if (length > 63 || at + length + 5 > size || at - headerBytes > 255) return undefined;
    for (let index = at + 1; index <= at + length; index += 1) if (!isNameByte(u8(index))) return undefined;
    at += length + 1;
  }
  return at + 5 > size ? undefined : at + 1;
}

/** Letters, digits, `-` and `_`. */
function isNameByte(byte: number): boolean {
  const letter = byte & 0xdf;
  return (
    (letter >= 0x41 && letter <= 0x5a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f
  );
}
