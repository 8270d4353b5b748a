const decimal: readonly string[] = Array.from({ length: 256 }, (_, value) => String(value));
const hex: readonly string[] = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

/** Hex digits of the byte at `at`. */
export function hexByte(bytes: Uint8Array, at: number): string {
  return hex[bytes[at]!]!;
}

/** `02:00:00:00:00:01`, of six bytes that are there. */
export function macText(bytes: Uint8Array, at: number): string {
  const upper = `${hex[bytes[at]!]}:${hex[bytes[at + 1]!]}:${hex[bytes[at + 2]!]}`;
  return `${upper}:${hex[bytes[at + 3]!]}:${hex[bytes[at + 4]!]}:${hex[bytes[at + 5]!]}`;
}

/** Of four bytes that are there. */
export function ipv4Text(bytes: Uint8Array, at: number): string {
  return `${decimal[bytes[at]!]}.${decimal[bytes[at + 1]!]}.${decimal[bytes[at + 2]!]}.${decimal[bytes[at + 3]!]}`;
}

/** Of sixteen bytes that are there, in the one form of RFC 5952. */
export function ipv6Text(bytes: Uint8Array, at: number): string {
  const group = (index: number): number => (bytes[at + index * 2]! << 8) | bytes[at + index * 2 + 1]!;
  // RFC 5952, section 4.2: the longest run of zeros, the first of equals, never a single group.
  let start = -1;
  let length = 1;
  for (let index = 0; index < 8; index += 1) {
    if (group(index) !== 0) continue;
    const first = index;
    while (index + 1 < 8 && group(index + 1) === 0) index += 1;
    if (index - first + 1 > length) {
      start = first;
      length = index - first + 1;
    }
  }
  // Section 5: addresses that carry an IPv4 address show it.
  if (start === 0 && length === 5 && group(5) === 0xffff) return `::ffff:${ipv4Text(bytes, at + 12)}`;
  let text = '';
  for (let index = 0; index < 8; index += 1) {
    if (index === start) {
      text += '::';
      index += length - 1;
    } else {
      if (text !== '' && !text.endsWith(':')) text += ':';
      text += group(index).toString(16);
    }
  }
  return text;
}
