import type { CookieExtent } from './cookie-end.ts';
import { type Extent, matchAt } from './value-end.ts';

/** What stands between a name and its value: where the value begins, how far it goes without quotes, and the quotes of the name. */
export type Between = {
  readonly start: number;
  readonly extent: Extent | CookieExtent;
  readonly quote: string;
  /** Where it ends, if quotes say so that are around name and value. */
  readonly end?: number;
};

const separator = /(\\{0,15}["'`]?)([ \t]*)(?::=|=>|[:=])([ \t]*)/uy;
/** `name: DB_PASSWORD` and `value: mine` are one pair. */
const pair = /(\\{0,15}["']?)[\s,]{1,64}\\{0,15}["']?value\\{0,15}["']?[ \t]{0,64}:[ \t]*/uy;
const isFlag = /(?<=(?:^|[^\w-])--?[\w-]{0,64})/uy;
/** Also as items of a list in JSON and YAML, and on the next line of a shell. A flag behind it is no value. */
export const flag: RegExp =
  /(?:[ \t\0]{1,64}(?:\\\r?\n[ \t]{0,64})?|\\{0,15}["'](?:[ \t]{0,64},\s{0,64}|[ \t]{1,64})|["']?\r?\n[ \t]{0,64}-[ \t]{1,64})(?=[^\s\0])(?!\\{0,15}["']?--?[a-z])/iuy;
const beginsLine = /(?<=(?:^|[\r\n])[ \t]{0,64}(?:export[ \t]{1,8})?["'\w.-]{0,64})/uy;
/** `/run/secrets/token: permission denied` */
const isPath = /(?<=(?:^|[\s"'(=])(?:\/[\w.-]{1,64}){0,8}\/[\w.-]{0,64})/uy;

/** @returns undefined where no value belongs to the name. */
export function betweenAt(text: string, at: number, nameEnd: number): Between | undefined {
  const found = matchAt(separator, text, nameEnd);
  if (found !== null) {
    const [all, quote = '', before = '', after = ''] = found;
    const isAssignment = all.includes('=') && before === '' && after === '';
    if (!isAssignment && matchAt(isPath, text, at) !== null) return undefined;
    const beginning: Extent = matchAt(beginsLine, text, at) === null ? 'word' : 'assignment';
    return { start: nameEnd + all.length, extent: isAssignment ? beginning : 'line', quote };
  }
  const value = matchAt(pair, text, nameEnd);
  if (value !== null) return { start: pair.lastIndex, extent: 'line', quote: value[1] ?? '' };
  if (matchAt(isFlag, text, at) === null || matchAt(flag, text, nameEnd) === null) return undefined;
  return { start: flag.lastIndex, extent: 'word', quote: '' };
}
