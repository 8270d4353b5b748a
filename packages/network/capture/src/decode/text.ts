/**
 * Text out of packets, made safe for a terminal: control characters, bidirectional overrides, what is invisible and what
 * is no UTF-8 become `\x1b` or `\u{202e}`, a backslash becomes two. The sender of a packet chooses these bytes.
 */

const utf8 = new TextDecoder();
const unsafe = /[\p{C}\p{Zl}\p{Zp}\\]/gu;
const plain = /^[ -[\]-~]*$/;
/** Characters of one text that are shown, unless told otherwise. */
const longestText = 256;

/** The bytes as text that a terminal can show, at most `limit` bytes of them and then `…`. */
export function safeText(bytes: Uint8Array, limit: number = longestText): string {
  const cut = bytes.length > limit;
  const text = escapeText(cut ? bytes.subarray(0, limit) : bytes);
  return cut ? `${text}…` : text;
}

function escapeText(bytes: Uint8Array): string {
  const latin = latinText(bytes);
  if (plain.test(latin)) return latin;
  const text = utf8.decode(bytes);
  // The replacement character stands for bytes that are no UTF-8: then every byte is shown for itself.
  return text.includes('\ufffd') ? latin.replace(/[^ -[\]-~]/g, byteEscape) : text.replace(unsafe, escape);
}

/** One character per byte. */
export function latinText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? byteEscape(character) : `\\u{${code.toString(16)}}`;
}

function byteEscape(character: string): string {
  if (character === '\\') return '\\\\';
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** Bytes as hex digits, at most 32 of them and then `…`. */
export function hexText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length && at < 32; at += 1) text += bytes[at]!.toString(16).padStart(2, '0');
  return bytes.length > 32 ? `${text}…` : text;
}

/** `0x` and at least `digits` hex digits. */
export function hexNumber(value: number, digits: number = 1): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
