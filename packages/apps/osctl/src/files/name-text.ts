import { isUtf8 } from 'node:buffer';

const escapes: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\t': String.raw`\t`,
  '\r': String.raw`\r`,
  '\\': String.raw`\\`,
};

/** What moves a cursor, ends a line, or turns the direction of text around; and what stands in front of an escape. */
// oxlint-disable-next-line no-control-regex -- these are the ones
const moving = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\\]/gu;

/**
 * A name as people read it. Names are bytes: what a terminal must not get is escaped as in C, bytes that are no UTF-8 too, and so no
 * two names look the same.
 */
export function nameText(name: Uint8Array): string {
  if (!isUtf8(name)) return Array.from(split(name), nameOrByte).join('');
  return text(name).replaceAll(
    moving,
    (character) => escapes[character] ?? codeText(character.codePointAt(0)!),
  );
}

/** A name as programs get it: `nameBase64` has the bytes where a string of JSON can't. */
export function nameFields(key: string, name: Uint8Array): Readonly<Record<string, string>> {
  const fields = { [key]: text(name) };
  return isUtf8(name) ? fields : { ...fields, [`${key}Base64`]: Buffer.from(name).toString('base64') };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

function codeText(code: number): string {
  return code < 0x80
    ? String.raw`\x${code.toString(16).padStart(2, '0')}`
    : String.raw`\u${code.toString(16).padStart(4, '0')}`;
}

function nameOrByte(part: Uint8Array): string {
  return isUtf8(part) ? nameText(part) : String.raw`\x${part[0]!.toString(16).padStart(2, '0')}`;
}

/** Characters of UTF-8, and bytes that are none. */
function* split(name: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < name.length;) {
    const length = [1, 2, 3, 4].find((size) => isUtf8(name.subarray(at, at + size))) ?? 1;
    yield name.subarray(at, at + length);
    at += length;
  }
}
