/** Key bytes as hexadecimal digits and back, without a string in between: a string can't be wiped. */

const digits = Buffer.from('0123456789abcdef');

/** Writes two digits a byte. @returns the offset after them. */
export function writeHex(target: Buffer, at: number, bytes: Uint8Array): number {
  let offset = at;
  for (const byte of bytes) {
    offset = target.writeUInt8(digits[byte >>> 4] ?? 0, offset);
    offset = target.writeUInt8(digits[byte & 15] ?? 0, offset);
  }
  return offset;
}

/** Reads digits in lower case over their full length; undefined when they are anything else. */
export function readHex(source: Uint8Array): Buffer | undefined {
  if (source.byteLength % 2 !== 0) return undefined;
  const bytes = Buffer.allocUnsafeSlow(source.byteLength / 2);
  for (let index = 0; index < bytes.byteLength; index += 1) {
    const high = digits.indexOf(source[2 * index] ?? 0);
    const low = digits.indexOf(source[2 * index + 1] ?? 0);
    if (high < 0 || low < 0) {
      bytes.fill(0);
      return undefined;
    }
    bytes[index] = (high << 4) | low;
  }
  return bytes;
}
