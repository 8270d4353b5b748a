import { matchAt, quotedOnLine } from './value-end.ts';

/** A part of a text, from `start` to `end`; `from` and `to` are inside of quotes that are around all of it. */
export type Word = {
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
};

const quote = /(?<backslashes>\\{0,15})(?<mark>["'`])/uy;
const plain = /\\{1,15}[ \t]|\\+(?!["'`])|[^\s\0"'`\\]+/uy;
/** Behind a quote: the text around goes on, or is over. */
const around = /(?=[ \t]{0,64}(?:[,}\]):\r\n]|$))/uy;
/** Behind one that stands where a value begins, and is more often its first. */
const aroundEmpty = /(?=[ \t]{0,64}(?:[,\]\r\n]|$))/uy;

/** A word as a shell reads it: some of it may be in quotes, or a space behind a backslash. */
export function wordAt(text: string, start: number): Word {
  const first = quotedAt(text, start);
  if (first !== undefined && isOver(text, first.end)) return first;
  for (let at = first?.end ?? start; ;) {
    const isValue = at > start && (text[at - 1] === ':' || text[at - 1] === '=');
    const quoted = isQuoteOfAround(text, at, isValue) ? undefined : quotedAt(text, at);
    if (quoted !== undefined) at = quoted.end;
    else if (matchAt(plain, text, at) !== null) at = plain.lastIndex;
    else return { start, from: start, to: at, end: at };
    if (quoted !== undefined && isOver(text, at)) return { start, from: start, to: at, end: at };
  }
}

/** A text in quotes, all in one line. */
export function quotedAt(text: string, start: number): Word | undefined {
  const { backslashes = '', mark } = matchAt(quote, text, start)?.groups ?? {};
  if (mark === undefined) return undefined;
  const from = quote.lastIndex;
  const closed = quotedOnLine(text, from, mark, backslashes.length);
  // One with fewer backslashes is of the text around.
  if (closed === undefined || closed.end === closed.value) return undefined;
  return { start, from, to: closed.value, end: closed.end };
}

function isQuoteOfAround(text: string, at: number, isValue: boolean): boolean {
  return (
    matchAt(quote, text, at) !== null &&
    matchAt(isValue ? aroundEmpty : around, text, quote.lastIndex) !== null
  );
}

const over = /[\s\0,}\])]|$/uy;

function isOver(text: string, at: number): boolean {
  return matchAt(over, text, at) !== null;
}
