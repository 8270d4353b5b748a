import { Secret } from '@nodecore/sys';

/** RFC 4648, section 4, as bytes. */
const alphabet = Uint8Array.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  (character) => character.charCodeAt(0),
);
const padding = '='.charCodeAt(0);

/**
 * The standard base64 text of bytes, padded: what opens a keyslot is the text of what was sealed, as systemd does it.
 *
 * Made byte by byte, because the usual way goes through a string, which can't be wiped.
 */
export function keyText(bytes: Secret): Secret {
  const source = bytes.bytes;
  const text = Buffer.allocUnsafeSlow(Math.ceil(source.length / 3) * 4);
  for (let from = 0, to = 0; from < source.length; from += 3, to += 4) {
    const [a = 0, b, c] = source.subarray(from, from + 3);
    text[to] = alphabet[a >> 2]!;
    text[to + 1] = alphabet[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    text[to + 2] = b === undefined ? padding : alphabet[((b & 15) << 2) | ((c ?? 0) >> 6)]!;
    text[to + 3] = c === undefined ? padding : alphabet[c & 63]!;
  }
  return Secret.take(text);
}

/** Two secrets, one after the other. Both stay the caller's. */
export function joined(first: Secret, second: Secret): Secret {
  const bytes = Buffer.allocUnsafeSlow(first.sizeBytes + second.sizeBytes);
  bytes.set(first.bytes, 0);
  bytes.set(second.bytes, first.sizeBytes);
  return Secret.take(bytes);
}
