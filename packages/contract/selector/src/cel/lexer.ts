import { unescapeBytes, unescapeText } from './escapes.ts';
import { Mistake } from './failure.ts';
import { maxUint, Uint } from './uint.ts';
import { maxInt, type Value } from './values.ts';

export type Token = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'literal'; readonly value: Value }
  /** One more than the largest `int`: a minus sign belongs in front of it. */
  | { readonly kind: 'largest' }
  | { readonly kind: 'name'; readonly text: string }
  /** In backticks: only as a field. */
  | { readonly kind: 'quoted'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string }
  | { readonly kind: 'end' }
);

const blank = /(?:[\t\n\f\r ]|\/\/[^\n]*)*/uy;
const number =
  /0[xX](?<hex>[\dA-Fa-f]+)(?<hexSign>[uU])?|(?<double>\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(?<digits>\d+)(?<sign>[uU])?/uy;
const text = /(?<prefix>[bB]?[rR]?|[rR][bB])(?<quote>"""|'''|"|')/uy;
const name = /[A-Z_a-z][\w]*/uy;
const quoted = /`(?<field>[\w.\-/ ]+)`/uy;
const sign = /&&|\|\||==|!=|<=|>=|[<>!?:,.()[\]{}+\-*/%]/uy;

/** Cuts a text into its tokens; the last one is the end. */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at = matchAt(blank, source, at)?.end ?? at;
    if (at >= source.length) break;
    const token = read(source, at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: 'end', start: source.length, end: source.length });
  return tokens;
}

type Match = {
  readonly text: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly end: number;
};

function matchAt(pattern: RegExp, source: string, at: number): Match | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(source);
  return match === null
    ? undefined
    : { text: match[0], groups: match.groups ?? {}, end: at + match[0].length };
}

function read(source: string, start: number): Token {
  const literal = matchAt(text, source, start);
  if (literal !== undefined) return readText(source, start, literal);
  const digits = matchAt(number, source, start);
  if (digits !== undefined) return readNumber(start, digits);
  const word = matchAt(name, source, start);
  if (word !== undefined) return { kind: 'name', text: word.text, start, end: word.end };
  const field = matchAt(quoted, source, start);
  if (field !== undefined)
    return { kind: 'quoted', text: field.groups['field'] ?? '', start, end: field.end };
  const mark = matchAt(sign, source, start);
  if (mark !== undefined) return { kind: 'sign', text: mark.text, start, end: mark.end };
  const character = String.fromCodePoint(source.codePointAt(start) ?? 0);
  throw new Mistake('syntax', start, `unexpected character: ${character}`);
}

function readText(source: string, start: number, { groups, end: from }: Match): Token {
  const { prefix = '', quote = '' } = groups;
  const isRaw = /r/iu.test(prefix);
  let at = from;
  while (!source.startsWith(quote, at)) {
    const character = source[at];
    const isBreak = character === '\n' || character === '\r';
    if (character === undefined) throw new Mistake('syntax', start, 'unterminated string');
    if (isBreak && quote.length === 1)
      throw new Mistake('syntax', at, 'a line break needs three quotes or \\n');
    at += character === '\\' && !isRaw ? 2 : 1;
  }
  const content = source.slice(from, at);
  const end = at + quote.length;
  if (!/b/iu.test(prefix))
    return { kind: 'literal', value: isRaw ? content : unescapeText(content, from), start, end };
  const value = isRaw ? Uint8Array.from(Buffer.from(content)) : unescapeBytes(content, from);
  return { kind: 'literal', value, start, end };
}

function readNumber(start: number, { text: source, groups, end }: Match): Token {
  const { double, hex, hexSign, digits = '', sign: digitSign } = groups;
  if (double !== undefined) {
    const value = Number(double);
    if (!Number.isFinite(value)) throw new Mistake('syntax', start, `${source} is too large for a double`);
    return { kind: 'literal', value, start, end };
  }
  const value = BigInt(hex === undefined ? digits : `0x${hex}`);
  if ((hexSign ?? digitSign) !== undefined) {
    if (value > maxUint) throw new Mistake('syntax', start, `${value} does not fit into 64 bits`);
    return { kind: 'literal', value: new Uint(value), start, end };
  }
  if (value === maxInt + 1n) return { kind: 'largest', start, end };
  if (value > maxInt) throw new Mistake('syntax', start, tooLarge(value));
  return { kind: 'literal', value, start, end };
}

/** Message for an `int` above 2^63 - 1, with the advice to write a `u` behind it where a `uint` can hold it. */
export function tooLarge(value: bigint): string {
  const advice = value > maxUint ? '' : `; write ${value}u`;
  return `${value} does not fit into 64 bits with a sign${advice}`;
}
