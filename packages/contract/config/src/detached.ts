/**
 * The same text as a value of its own. V8 makes a part of a text by pointing into the whole, so that one word which is
 * kept would keep a whole configuration in memory, with its secrets.
 */
export function detached(text: string): string {
  const bytes = Buffer.from(text, 'utf16le'); // exact, also for half of a surrogate pair
  const copy = bytes.toString('utf16le');
  bytes.fill(0); // the text may be a secret
  return copy;
}
