/**
 * The same text as a value of its own. V8 makes a part of a text by pointing into the whole, so that one word which is
 * kept would keep a whole configuration in memory, with its secrets.
 */
export function detached(text: string): string {
  if (text.length < shortestPart) return text;
  scratch ??= Buffer.alloc(8192);
  const bytes = text.length * 3 > scratch.length ? Buffer.alloc(text.length * 3) : scratch;
  const length = bytes.write(text, 'utf8');
  // One byte for each character: ASCII. UTF-16 is exact for all others, also for half of a surrogate pair.
  const copy =
    length === text.length
      ? bytes.toString('latin1', 0, length)
      : bytes.toString('utf16le', 0, bytes.write(text, 'utf16le'));
  bytes.fill(0, 0, text.length * 3); // the text may be a secret
  return copy;
}

/** Shorter parts are copies in V8 (`SlicedString::kMinLength`, `ConsString::kMinLength`). */
const shortestPart = 13;
let scratch: Buffer | undefined;
