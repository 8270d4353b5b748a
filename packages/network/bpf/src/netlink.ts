/** struct nlattr: length and type, 16 bits each in the machine's byte order, little-endian on all we run on. */
const headerSize = 4;
/** NLA_TYPE_MASK: the two highest bits are flags. */
const typeMask = 0x3fff;

/** The offset of the first attribute of this type in a list that begins at `start`; 0 when there is none. */
export function findAttribute(bytes: Uint8Array, start: number, type: number): number {
  return start > bytes.length - headerSize ? 0 : find(bytes, start, bytes.length, type);
}

/** As {@link findAttribute}, among the attributes inside the one at `start`. */
export function findNestedAttribute(bytes: Uint8Array, start: number, type: number): number {
  if (start > bytes.length - headerSize) return 0;
  const length = word(bytes, start);
  return length > bytes.length - start ? 0 : find(bytes, start + headerSize, start + length, type);
}

function find(bytes: Uint8Array, start: number, end: number, type: number): number {
  for (let at = start; end - at >= headerSize;) {
    const length = word(bytes, at);
    if (length < headerSize || length > end - at) return 0;
    if ((word(bytes, at + 2) & typeMask) === type) return at;
    at += (length + 3) & ~3;
  }
  return 0;
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}
