import { Mistake } from './failure.ts';

const plain: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** `\x41`, `\u0041`, `\U00000041`, `\101`. */
const numbered =
  /^(?:[xX](?<byte>[\dA-Fa-f]{2})|(?:u(?<short>[\dA-Fa-f]{4})|U(?<long>[\dA-Fa-f]{8}))|(?<octal>[0-3][0-7]{2}))/u;

type Escape = { readonly code: number; readonly length: number; readonly unicode: boolean };

/** The text that a literal stands for. */
export function unescapeText(source: string, offset: number): string {
  return pieces(source, offset, (escape, at) => {
    const { code } = escape;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw new Mistake('syntax', at, 'an escape sequence that is no character');
    return String.fromCodePoint(code);
  }).join('');
}

/** The bytes that a literal stands for: its characters in UTF-8, and bytes as they are escaped. */
export function unescapeBytes(source: string, offset: number): Uint8Array {
  const parts = pieces<Uint8Array | string>(source, offset, ({ code, unicode }, at) => {
    if (unicode) throw new Mistake('syntax', at, String.raw`\u and \U are not for bytes`);
    return Uint8Array.of(code);
  });
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function pieces<T>(
  source: string,
  offset: number,
  take: (escape: Escape, at: number) => T,
): readonly (T | string)[] {
  const found: (T | string)[] = [];
  let from = 0;
  for (let at = source.indexOf('\\'); at !== -1; at = source.indexOf('\\', from)) {
    found.push(source.slice(from, at));
    const letter = source[at + 1] ?? '';
    const simple = Object.hasOwn(plain, letter) ? plain[letter] : undefined;
    if (simple === undefined) {
      const escape = readNumber(source.slice(at + 1, at + 10), offset + at);
      found.push(take(escape, offset + at));
      from = at + 1 + escape.length;
    } else {
      found.push(simple);
      from = at + 2;
    }
  }
  found.push(source.slice(from));
  return found;
}

function readNumber(source: string, at: number): Escape {
  const match = numbered.exec(source);
  if (match === null) throw new Mistake('syntax', at, `an unknown escape sequence: \\${source[0] ?? ''}`);
  const { byte, short, long, octal } = match.groups ?? {};
  const code = octal === undefined ? `0x${byte ?? short ?? long ?? ''}` : `0o${octal}`;
  return { code: Number(code), length: match[0].length, unicode: byte === undefined && octal === undefined };
}
