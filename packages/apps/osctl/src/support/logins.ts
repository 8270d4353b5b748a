import { flag } from './between.ts';
import { quotedAt, type Word, wordAt } from './shell-word.ts';
import { matchAt, quotedOnLine } from './value-end.ts';

// A command line goes on behind a backslash, a comma of a list, and where the next line begins with a flag or an item.
const lineEnd = String.raw`(?<![\\,][ \t]{0,8}\r?)\n(?![ \t]{0,64}-)`;
/** Flags of curl that stand in front of another in the same word have no value. */
const short = String.raw`-[#0-46BGIJLMNORSVZafgijklnpqsv]{0,16}(?<short>[uUbE])`;
const long = String.raw`--(?:proxy-)?(?:user|cert)(?![\w-])`;
/** Of the environment, as `ETCDCTL_USER`. The search is for its end: what stands in front of it is kept anyway. */
const variable = String.raw`(?<=[A-Za-z\d])_USER(?=\\{0,15}["']?[ \t]{0,8}[:=])`;
const marks = new RegExp(
  String.raw`(?<curl>(?<![\w-])curl(?![\w-]))|(?<end>${lineEnd})|(?<![\w-])(?:${long}|${short})|(?<variable>${variable})`,
  'gu',
);

/**
 * A text in which `user:password` and `certificate:password` behind the flags of curl are hidden, `--user` and `--cert` of any program,
 * and cookies behind `-b`. Each part of the text is looked at a fixed number of times.
 */
export function hideLogins(text: string, hidden: string): string {
  const pieces: string[] = [];
  let kept = 0;
  let isCurl = false;
  for (let at = 0; ;) {
    const found = matchAt(marks, text, at);
    if (found === null) break;
    at = marks.lastIndex;
    const { curl, end, short: letter, variable: name } = found.groups ?? {};
    if (curl !== undefined || end !== undefined) isCurl = curl !== undefined;
    // `sudo -u postgres`, `date -u +%H:%M`
    else if (isCurl || letter === undefined) {
      const value =
        name === undefined
          ? valueAt(text, found.index, at, letter !== undefined)
          : assignedAt(text, found.index, at);
      if (value === undefined) continue;
      at = value.end;
      if (!isLogin(text.slice(value.from, value.to), letter, isCurl && name === undefined)) continue;
      pieces.push(text.slice(kept, value.from), hidden);
      kept = value.to;
    }
  }
  return pieces.join('') + text.slice(kept);
}

/** `[curl, -u, a:b]` */
const nextItem = /,[ \t]{1,8}(?![\s-])/uy;
/** A quote that is around a name and its value. */
const opened = /(?<=(?<backslashes>\\{0,15})(?<mark>["'`])\w{0,64})/uy;

/** What is behind a flag, or in the same word. */
function valueAt(text: string, at: number, flagEnd: number, isShort: boolean): Word | undefined {
  const gap = (matchAt(flag, text, flagEnd) ?? matchAt(nextItem, text, flagEnd))?.[0];
  if (gap !== undefined) {
    const start = flagEnd + gap.length;
    const isLine = /^["']?\r?\n/u.test(gap);
    const item = isLine || gap.includes(',') ? quotedAt(text, start) : undefined;
    return item ?? (isLine ? restOfLine(text, start) : wordAt(text, start));
  }
  if (!isShort && text[flagEnd] !== '=') return undefined;
  return wordBehind(text, at, isShort ? flagEnd : flagEnd + 1);
}

const assigned = /=|\\{0,15}["']?[ \t]{0,8}[:=][ \t]{0,8}/uy;

/** What a variable is: `NAME=value`, also in quotes that are around both, and `NAME: value`. */
function assignedAt(text: string, at: number, nameEnd: number): Word | undefined {
  const between = matchAt(assigned, text, nameEnd)?.[0];
  if (between === undefined) return undefined;
  const start = nameEnd + between.length;
  if (between !== '=') return quotedAt(text, start) ?? restOfLine(text, start);
  return wordBehind(text, at, start);
}

/** The word of a value, which ends at the quote where one is around it and its name. */
function wordBehind(text: string, at: number, start: number): Word {
  const { backslashes = '', mark } = matchAt(opened, text, at)?.groups ?? {};
  const closed = mark === undefined ? undefined : quotedOnLine(text, start, mark, backslashes.length);
  return closed === undefined
    ? wordAt(text, start)
    : { start, from: start, to: closed.value, end: closed.value };
}

const lineRest = /[^\r\n]*/uy;

/** An item of a list of YAML. */
function restOfLine(text: string, start: number): Word {
  matchAt(lineRest, text, start);
  const end = lineRest.lastIndex;
  return { start, from: start, to: end, end };
}

const address = /^[\\"'`]{0,32}[a-z][a-z\d+.-]{0,32}:\/\//iu;
const timeFormat = /^\+[\\"'`]{0,16}%/u;
/** Of a user and a group, as containers have them. */
const numbers = /^[\\"'`]{0,32}\d{1,10}:\d{1,10}[\\"'`]{0,32}$/u;
/** Behind `-E`, which other programs of the same line have for patterns. */
const certificate = /^[\\"'`]{0,32}[\w./~+-]{1,256}\.(?:pem|p12|pfx|crt|cer|der|key):/iu;
/** With Kerberos. */
const empty = /^[\\"'`]{0,32}:[\\"'`]{0,32}$/u;

function isLogin(value: string, letter: string | undefined, isCurl: boolean): boolean {
  if (letter === 'b') return value.includes('='); // without, it is a file
  if (letter === 'E') return certificate.test(value);
  if (!value.includes(':') || empty.test(value) || address.test(value) || timeFormat.test(value))
    return false;
  return isCurl || !numbers.test(value);
}
