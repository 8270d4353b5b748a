import { matchAt, quotedOnLine } from './value-end.ts';

/** How far cookies go without quotes around them: those of a header in a text, of one on a line of its own, and of an assignment or a flag. */
export type CookieExtent = 'header' | 'header line' | 'cookie';

/** A value of a cookie may be in quotes, or JSON. */
const opening = String.raw`(?<=[=:{[,][ \t]?)(?<backslashes>\\{0,15})(?<mark>["'\x60])(?![ \t]{0,64}(?:[,\r\n]|$))`;
const lineEnd = String.raw`[\r\n]|\\{1,15}r\\{1,15}n`;
const bracket = String.raw`[}\])](?=[\s,}\])"'\\]|$)(?![ \t]{0,8};)`;
const nextHeader = String.raw`,[ \t]{1,16}["']?[\w-]{1,64}["']?:`;
const around = String.raw`(?<!\\)\\*["'\x60](?=[ \t]{0,64}(?:[,}\])\r\n]|$))`;
const inText = [opening, lineEnd, bracket, nextHeader, around].join('|');

const ends: Readonly<Record<CookieExtent, RegExp>> = {
  header: new RegExp(inText, 'gu'),
  'header line': new RegExp(lineEnd, 'gu'),
  cookie: new RegExp(String.raw`${inText}|(?<!;[ \t]{0,8})[ \t]|\0`, 'gu'),
};

export function cookieEnd(text: string, start: number, extent: CookieExtent): number {
  for (let at = start; ;) {
    const found = matchAt(ends[extent], text, at);
    if (found === null) return text.length;
    const { backslashes = '', mark } = found.groups ?? {};
    if (mark === undefined) return found.index;
    const from = found.index + found[0].length;
    at = quotedOnLine(text, from, mark, backslashes.length)?.end ?? from;
  }
}

const opened = /(?<=(?<backslashes>\\{0,15})(?<mark>["'`])[\w-]{0,64})/uy;
const over = /[\s,}\])]|$/uy;
/** Quotes of cookies: who has more of them than this has no end that is known. */
const mostQuotes = 16;

/** Where the quotes end that are around a header whose name is at `at`: `-H "Cookie: a=b"`. Those of its cookies are no end. */
export function headerEnd(text: string, at: number, start: number): number | undefined {
  const { backslashes = '', mark } = matchAt(opened, text, at)?.groups ?? {};
  if (mark === undefined) return undefined;
  for (let from = start, quotes = 0; quotes < mostQuotes; quotes += 1) {
    const closed = quotedOnLine(text, from, mark, backslashes.length);
    if (closed === undefined) return undefined;
    if (text[closed.value - 1] !== '=' && matchAt(over, text, closed.end) !== null) return closed.value;
    if (closed.end === closed.value) return closed.value; // the text around it ends
    from = closed.end;
  }
  return undefined;
}
