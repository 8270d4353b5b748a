import { type Between, betweenAt } from './between.ts';
import { headerEnd } from './cookie-end.ts';
import { matchAt } from './value-end.ts';

/** `['Cookie', 'a=b']` */
const listed = /\\{0,15}["'`][ \t]{0,64},\s{0,64}(?=[bBuU]?\\{0,15}["'`])/uy;
/** Also as `curl -v` prints them. */
const ownLine = /(?<=(?:^|[\r\n])[ \t]{0,64}(?:[<>*-][ \t]{1,8})?[\w-]{0,64})/uy;
/** A name with its value; one without a value may stand in front of it. */
const pair =
  /[bBuU]?[\s\\"'`[(]{0,64}(?:[^\s"'`\\=,;[(][^\s"'`\\=,;]{0,255};[ \t]{0,8}){0,4}[^\s"'`\\=,;[(][^\s"'`\\=,;]{0,255}=/uy;
/** The kernel has cookies that are numbers. */
const number = /[\\"']{0,16}(?:0x[\da-f]{1,16}|\d{1,20})(?:[\s,;)}\]"'\\]|$)/iuy;

/** What stands between `Cookie` and its value. A cookie has spaces, quotes and names in it, so it ends elsewhere than others. */
export function cookieBetween(text: string, at: number, nameEnd: number): Between | undefined {
  const found = betweenAt(text, at, nameEnd);
  if (found === undefined) {
    const isListed = matchAt(listed, text, nameEnd) !== null && isPair(text, listed.lastIndex);
    return isListed ? { start: listed.lastIndex, extent: 'header', quote: '' } : undefined;
  }
  if (found.extent !== 'line') return { ...found, extent: 'cookie' };
  if (matchAt(ownLine, text, at) !== null) return { ...found, extent: 'header line' };
  const end = found.quote === '' && isPair(text, found.start) ? headerEnd(text, at, found.start) : undefined;
  return { ...found, extent: 'header', ...(end !== undefined && { end }) };
}

export function isPair(text: string, start: number): boolean {
  return matchAt(pair, text, start) !== null;
}

export function isNumber(text: string, start: number): boolean {
  return matchAt(number, text, start) !== null;
}
