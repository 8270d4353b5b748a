/** Options of a pcapng block: pairs of code and value. What is cut or too long ends the list, and is no error. */
export function* pcapngOptions(
  bytes: Uint8Array,
  little: boolean,
): Generator<{ readonly code: number; readonly value: Uint8Array }, void, undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 4 <= bytes.length;) {
    const code = view.getUint16(at, little);
    const length = view.getUint16(at + 2, little);
    const end = at + 4 + length;
    if (code === 0 || end > bytes.length) return;
    yield { code, value: bytes.subarray(at + 4, end) };
    at = end + ((4 - (length % 4)) % 4);
  }
}

const utf8 = new TextDecoder();

export function optionText(value: Uint8Array): string {
  return utf8.decode(value);
}
