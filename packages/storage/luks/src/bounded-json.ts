/** json-c, which libcryptsetup reads headers with, refuses deeper nesting; nothing that is stored needs it. */
const deepest = 32;

const quote = 0x22;
const backslash = 0x5c;

/**
 * `JSON.parse` for text that somebody else may have written. Nesting is limited before anything is built, so that code
 * that walks the result can't run out of stack.
 *
 * @throws {SyntaxError} for text that is no JSON, or nested deeper than 32.
 */
export function parseBoundedJson(text: string): unknown {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) throw new SyntaxError(`JSON nested deeper than ${deepest}`);
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return JSON.parse(text);
}

/** The index of the quote that ends the string which begins at `start`; the text's length when none does. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    index += code === backslash ? 2 : 1;
  }
  return index;
}
