import { CodedError } from './coded-error.ts';
import type { ErrorKind } from './error-kind.ts';

/** Bytes that are no text in UTF-8. Has the place and never the bytes, which may be part of a secret. */
export class TextError extends CodedError<'ERR_TEXT_ENCODING'> {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number;

  constructor(message: string, { line, column }: { readonly line: number; readonly column: number }) {
    super('ERR_TEXT_ENCODING', message);
    this.line = line;
    this.column = column;
  }

  override get kind(): ErrorKind {
    return 'invalid';
  }

  static {
    this.prototype.name = 'TextError';
  }
}

/**
 * The text that bytes are in UTF-8, without a byte order mark at its start. Nothing is replaced: a passphrase with other
 * bytes would become one that opens no volume.
 *
 * @throws {TextError} with the first place that is not UTF-8, or the encoding that it is in.
 */
export function decodeText(bytes: Uint8Array): string {
  const other = otherEncoding(bytes);
  if (other !== undefined)
    throw new TextError(`the text is ${other}: save it as UTF-8`, { line: 1, column: 1 });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const at = firstInvalid(bytes);
    throw new TextError('this byte is not part of a UTF-8 text: save it as UTF-8', placeOf(bytes, at));
  }
}

/** By a byte order mark, or by the zeros that the first character, which is always ASCII, has beside it (YAML 1.2, 5.2). */
function otherEncoding([a = 1, b = 1, c = 1, d = 1]: Uint8Array): string | undefined {
  if ((a === 0 && b === 0) || (b === 0 && c === 0 && d === 0)) return 'UTF-32';
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32' : 'UTF-16';
  return (a === 0xfe && b === 0xff) || a === 0 || b === 0 ? 'UTF-16' : undefined;
}

function placeOf(bytes: Uint8Array, at: number): { line: number; column: number } {
  const before = bytes.subarray(0, at);
  const lineStart = before.lastIndexOf(newline) + 1;
  const line = before.reduce((count, byte) => count + (byte === newline ? 1 : 0), 1);
  return { line, column: new TextDecoder().decode(before.subarray(lineStart)).length + 1 };
}

const newline = 0x0a;

/** Where the first sequence begins that has no meaning; the length when there is none. */
function firstInvalid(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

/** Bytes of the character at `at`; 0 when there is none (Unicode 16, table 3-7: no overlong form, no surrogate). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0;
    const [from, to] = index === 1 ? [lowest, highest] : [0x80, 0xbf];
    if (byte < from || byte > to) return 0;
  }
  return length;
}
