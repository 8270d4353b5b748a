const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const padding = '='.charCodeAt(0);
const newline = '\n'.charCodeAt(0);
/** RFC 7468: lines of 64 characters, 48 bytes. */
const bytesPerLine = 48;

/**
 * The PEM form of DER bytes, as bytes. A private key never becomes a string on its way to a file: a string can't be
 * wiped.
 */
export function toPem(label: string, der: Uint8Array): Buffer {
  const begin = Buffer.from(`-----BEGIN ${label}-----\n`);
  const end = Buffer.from(`-----END ${label}-----\n`);
  const lines = Math.ceil(der.byteLength / bytesPerLine);
  const pem = Buffer.alloc(begin.byteLength + Math.ceil(der.byteLength / 3) * 4 + lines + end.byteLength);
  begin.copy(pem);
  let at = begin.byteLength;
  for (let from = 0; from < der.byteLength; from += 3) {
    at = writeGroup(pem, at, der.subarray(from, from + 3));
    if ((from + 3) % bytesPerLine === 0 || from + 3 >= der.byteLength) at = pem.writeUInt8(newline, at);
  }
  end.copy(pem, at);
  return pem;
}

/** One to three bytes as four characters. */
function writeGroup(target: Buffer, at: number, group: Uint8Array): number {
  const [first = 0, second = 0, third = 0] = group;
  const bits = (first << 16) | (second << 8) | third;
  for (let index = 0; index < 4; index += 1) {
    const character = alphabet[(bits >> (18 - 6 * index)) & 63] ?? padding;
    target.writeUInt8(index <= group.byteLength ? character : padding, at + index);
  }
  return at + 4;
}
