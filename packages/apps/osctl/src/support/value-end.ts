/** The match of a sticky pattern, or of a global one from there on. */
export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** As many lines are looked through for a closing quote: one that is missing should not hide all that follows. */
const mostLines = 64;
const quoteOrLine = /(?<!\\)(\\*)(["'`])|\n/gu;

/**
 * Where a value in quotes ends, with its closing quote. JSON inside of JSON has a backslash in front of each quote, and that inside
 * again has three: a quote with `b` of them is closed by one with `b`, behind any number of backslashes that stand for themselves.
 *
 * @returns undefined when it is not closed.
 */
export function quotedEnd(
  text: string,
  start: number,
  quote: string,
  backslashes: number,
): { readonly value: number; readonly end: number } | undefined {
  let lines = 0;
  for (let at = start; ;) {
    const found = matchAt(quoteOrLine, text, at);
    if (found === null) return undefined;
    at = quoteOrLine.lastIndex;
    const [, before, mark] = found;
    if (mark === undefined || before === undefined) {
      lines += 1;
      if (lines > mostLines) return undefined;
      continue;
    }
    if (mark !== quote) continue;
    const count = before.length;
    if (count < backslashes) return { value: found.index, end: found.index }; // the text around it ends
    if (count % (2 * (backslashes + 1)) !== backslashes) continue;
    // 'it''s' in YAML, 'it'\''s' in a shell, and that in JSON
    const again = quote === "'" && backslashes === 0 ? matchAt(/'|\\{1,15}''/uy, text, at) : null;
    if (again === null) return { value: at - 1 - backslashes, end: at };
    at += again[0].length;
  }
}

/** As {@link quotedEnd}, but for what goes on in the next line. */
export function quotedOnLine(
  text: string,
  start: number,
  quote: string,
  backslashes: number,
): ReturnType<typeof quotedEnd> {
  const found = quotedEnd(text, start, quote, backslashes);
  return found === undefined || text.slice(start, found.value).includes('\n') ? undefined : found;
}

// A quote ends the text around, and a bracket what is in it, where it looks so; a password can have both.
const around = String.raw`[\r\n]|(?<!\\)\\*["'\x60](?=[ \t]{0,64}(?:[,}\]):\r\n]|$))|[}\])](?=[\s,;}\])"'\\]|$)`;
const nextName = String.raw`[,;&]\s{0,16}\\{0,15}["']?[\w.-]{1,64}\\{0,15}["']?[ \t]{0,16}[:=]`;
const nextAssignment = String.raw`(?<![ \t])[ \t]+["']?[\w.-]{1,64}=`;

/** How far a value without quotes goes. */
export type Extent = 'line' | 'assignment' | 'word';

const ends: Readonly<Record<Extent, RegExp>> = {
  /** `password: my secret phrase` */
  line: new RegExp(`${around}|${nextName}`, 'gu'),
  /** `password=mine user=me` at the beginning of a line */
  assignment: new RegExp(`${around}|${nextName}|${nextAssignment}`, 'gu'),
  /** `--password mine` */
  word: new RegExp(String.raw`[\s\0]|${around}|${nextName}`, 'gu'),
};

export function plainEnd(text: string, start: number, extent: Extent): number {
  return matchAt(ends[extent], text, start)?.index ?? text.length;
}

const indentedLine = /(?:\r?\n[ \t]*)*\r?\n([ \t]*)([^\s][^\r\n]*)/uy;

/** Where the lines end that stand further to the right than a column. Items of a list may stand in the column itself. */
export function indentedEnd(
  text: string,
  start: number,
  column: number,
  { items }: { readonly items: boolean },
): number {
  for (let end = start; ;) {
    const [, indent = '', line = ''] = matchAt(indentedLine, text, end) ?? [];
    const isItem = items && indent.length === column && /^-[ \t]/u.test(line);
    if (line === '' || (indent.length <= column && !isItem)) return end;
    end = indentedLine.lastIndex;
  }
}
