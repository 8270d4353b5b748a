import { type Between, betweenAt } from './between.ts';
import { cookieEnd } from './cookie-end.ts';
import { cookieBetween, isNumber, isPair } from './cookies.ts';
import { isAuth, isCookie, isSecret, secretWord } from './secret-names.ts';
import { indentedEnd, matchAt, plainEnd, quotedEnd } from './value-end.ts';

/** A part of the text, and what is there instead. */
type Hidden = { readonly start: number; readonly end: number; readonly shown: string };

/** A text in which values behind the names of secrets are hidden. Each part of it is looked at a fixed number of times. */
export function hideValues(text: string, hidden: string): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let at = 0; ;) {
    const found = matchAt(secretWord, text, at);
    if (found === null) break;
    at = secretWord.lastIndex;
    const value = hiddenValue(text, found.index, found[0], hidden);
    if (value === undefined) continue;
    pieces.push(text.slice(kept, value.start), value.shown);
    kept = value.end;
    at = Math.max(at, kept);
  }
  return pieces.join('') + text.slice(kept);
}

// Tokens in a sentence are counted, and a switch is no secret.
const count = /\d{1,9}(?:[./]\d{1,9})?%?(?=\.?(?:[\s,;)}\]"'\\]|$))/uy;
const switched = /(?:true|false|null|nil|undefined)(?=[ \t]{0,8}(?:[,;&}\])\r\n"'\\]|$))/uy;
/** `dXNlcjpwYXNz` and `token dXNlcjpwYXNz`, but no ordinary word. */
const encoded =
  /[\\"']{0,16}(?:(?:[Bb]asic|[Bb]earer|[Dd]igest|[Tt]oken|[Aa]pi[Kk]ey) )?(?![A-Z]?[a-z-]+(?:[^\w+/=-]|$)|[A-Z-]+(?:[^\w+/=-]|$))[\w+/-]{4,}={0,2}(?:[\s"'\\,;}\]]|$)/uy;

function hiddenValue(text: string, at: number, word: string, hidden: string): Hidden | undefined {
  const tail = matchAt(/[\w.-]{0,64}/uy, text, at + word.length)?.[0] ?? '';
  if (isAuth(word) ? tail !== '' : !isSecret(word, tail)) return undefined;
  const find = isCookie(word) ? cookieBetween : betweenAt;
  const between = find(text, at, at + word.length + tail.length);
  if (between === undefined) return undefined;
  const { start } = between;
  const isEncoded = (): boolean => matchAt(encoded, text, start) !== null;
  if (isAuth(word) && !isEncoded()) return undefined;
  if (isCookie(word) && !isPair(text, start) && (isNumber(text, start) || !isEncoded())) return undefined;
  if (/(?<!s)s$/iu.test(tail) && matchAt(count, text, start) !== null) return undefined;
  if (matchAt(switched, text, start) !== null) return undefined;
  return (matchAt(blockMark, text, start) ?? matchAt(lineEnd, text, start)) === null
    ? valueAt(text, at, between, hidden)
    : blockAt(text, at, start, hidden);
}

const lineEnd = /[ \t]*(?=[\r\n]|$)/uy;
const blockMark = /(?:[!&]\S*[ \t]+)*[|>][+\-\d]{0,2}[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)/uy;
const mapping = /\s*(?:-[ \t]+)*["']?[\w./-]{1,256}["']?:(?:\s|$)/uy;
const bracket = /\s*["']?[[\]{}]/uy;

/** A value on the lines below its name, as YAML has them. What is there with names of its own is no single secret. */
function blockAt(text: string, at: number, start: number, hidden: string): Hidden | undefined {
  const isMarked = matchAt(blockMark, text, start) !== null;
  if (!isMarked) matchAt(lineEnd, text, start);
  const from = isMarked ? blockMark.lastIndex : lineEnd.lastIndex;
  if (!isMarked && (matchAt(mapping, text, from) ?? matchAt(bracket, text, from)) !== null) return undefined;
  const { column } = placeOf(text, at);
  const end = indentedEnd(text, from, column, { items: !isMarked });
  return end === from ? undefined : { start: from, end, shown: `\n${' '.repeat(column + 2)}${hidden}` };
}

/** In which column a name begins, and whether nothing but marks of a list is in front of it. Asked at most once a line. */
function placeOf(text: string, at: number): { readonly column: number; readonly isFirst: boolean } {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const marks = /^([ \t]*(?:-[ \t]+)*)["']?[\w.-]*$/u.exec(line)?.[1];
  return { column: (marks ?? /^[ \t]*/u.exec(line)![0]).length, isFirst: marks !== undefined };
}

const opening = /[bBuUrR$]{0,2}(\\{0,15})(["'`])/uy;
/** What a shell takes for the same word as the quoted text in front of it. */
const joined = /[\w$][^\s,;&}\])"'\\]*/uy;
const object = /\{\s{0,64}(?:\}|\\{0,15}["']|[\w.-]{1,64}\s{0,8}[:=]|$)/uy;

function valueAt(
  text: string,
  at: number,
  { start, extent, quote, end: known }: Between,
  hidden: string,
): Hidden | undefined {
  if (known !== undefined) return { start, end: known, shown: hidden };
  if (matchAt(object, text, start) !== null) return undefined; // its own names say what is secret
  const list = text[start] === '[' ? listEnd(text, start + 1) : undefined;
  if (list?.isClosed === true)
    return list.end === start + 2
      ? undefined
      : { start, end: list.end, shown: `[${quote}${hidden}${quote}]` };
  const opened = matchAt(opening, text, start);
  const from = opened === null ? start : opening.lastIndex;
  if (opened !== null) {
    const [, backslashes = '', mark = ''] = opened;
    const closed = quotedEnd(text, from, mark, backslashes.length);
    if (closed?.value === from) return undefined;
    if (closed !== undefined) {
      const more = backslashes === '' ? (matchAt(joined, text, closed.end)?.[0].length ?? 0) : 0;
      const close = closed.end === closed.value ? '' : `${backslashes}${mark}`;
      return { start: from, end: closed.end + more, shown: `${hidden}${close}` };
    }
  }
  const end = Math.max(unquotedEnd(text, from, extent, opened !== null), list?.end ?? 0);
  const isOfLine = extent !== 'assignment' && extent !== 'word' && extent !== 'cookie';
  const whole = isOfLine && isEndOfLine(text, end) ? continued(text, at, end) : end;
  return whole === start ? undefined : { start, end: whole, shown: `${quote}${hidden}${quote}` };
}

function unquotedEnd(text: string, from: number, extent: Between['extent'], isOpened: boolean): number {
  if (extent === 'header' || extent === 'header line' || extent === 'cookie')
    return cookieEnd(text, from, extent);
  return plainEnd(text, from, isOpened ? 'line' : extent);
}

function isEndOfLine(text: string, at: number): boolean {
  return text[at] === '\n' || text[at] === '\r';
}

/** A value of YAML goes on in lines that stand further to the right than its name. */
function continued(text: string, at: number, end: number): number {
  const { column, isFirst } = placeOf(text, at);
  return isFirst ? indentedEnd(text, end, column, { items: false }) : end;
}

const item = /[^\s,[\]{}"'\\][^,[\]{}\r\n"']*/uy;
const listClose = /\](?=[ \t]{0,64}(?:[,}\]"'\\\r\n]|$))/uy;

/** Where a list of texts ends, or what looked like one. */
function listEnd(text: string, start: number): { readonly end: number; readonly isClosed: boolean } {
  for (let at = start; ;) {
    const space = matchAt(/[\s,]*/uy, text, at)?.[0] ?? '';
    const next = at + space.length;
    if (text[next] === ']') {
      const isClosed = matchAt(listClose, text, next) !== null;
      return { end: next + 1, isClosed };
    }
    const opened = matchAt(opening, text, next);
    const closed =
      opened === null
        ? undefined
        : quotedEnd(text, opening.lastIndex, opened[2] ?? '', opened[1]?.length ?? 0);
    // Without quotes the next line is another text.
    const isPlain = opened === null && !space.includes('\n') && matchAt(item, text, next) !== null;
    if (closed === undefined && !isPlain) return { end: at, isClosed: false };
    at = closed?.end ?? item.lastIndex;
  }
}
