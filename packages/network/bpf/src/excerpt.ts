/** Columns of the text that an excerpt shows on either side of a word. */
const around = 50;

export type Place = { readonly text: string; readonly offset: number };

/** Line and column of an offset, both counted from 1. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Two lines: the text around a word, and carets below the word; one caret where nothing stands. */
export function excerpt(text: string, { text: word, offset }: Place): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const newline = text.indexOf('\n', offset);
  const end = newline < 0 ? text.length : newline;
  const from = offset - start > around ? offset - around : start;
  const to = Math.min(end, offset + word.length + around);
  const before = `${from > start ? '…' : ''}${text.slice(from, offset)}`;
  const line = `${before}${text.slice(offset, to)}${to < end ? '…' : ''}`;
  const carets = '^'.repeat(Math.max(1, Math.min(word.length, to - offset)));
  // A tab, or a character that a terminal obeys, would put the carets elsewhere.
  return `  ${line.replaceAll(/\p{C}/gu, ' ')}\n  ${' '.repeat(before.length)}${carets}`;
}
