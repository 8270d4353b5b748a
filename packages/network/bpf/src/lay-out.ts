/** A condition in words. */
export type Explained =
  | { readonly kind: 'always' | 'never' }
  | { readonly kind: 'test'; readonly text: string }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Explained[] };

const width = 96;

/** A condition as lines: on one line where it fits, else one part per line, with `and` or `or` before each but the first. */
export function layOut(condition: Explained, indent: string): readonly string[] {
  const line = inline(condition);
  if (indent.length + line.length <= width || !('of' in condition)) return [indent + line];
  const word = condition.kind === 'all' ? 'and ' : 'or ';
  return condition.of.flatMap((part, index) => {
    const lead = index === 0 ? ' '.repeat(word.length) : word;
    const whole = grouped(part);
    if (indent.length + lead.length + whole.length <= width || !('of' in part))
      return [indent + lead + whole];
    // The parenthesis takes the last column of the deeper indentation, and another closes the last line.
    const [first = '', ...rest] = layOut(part, `${indent}${' '.repeat(word.length + 1)}`);
    const opened = `${indent}${lead}(${first.slice(indent.length + word.length + 1)}`;
    const lines = [opened, ...rest];
    return lines.map((line, at) => (at === lines.length - 1 ? `${line})` : line));
  });
}

function inline(condition: Explained): string {
  if ('text' in condition) return condition.text;
  if ('of' in condition) return condition.of.map(grouped).join(condition.kind === 'all' ? ' and ' : ' or ');
  return condition.kind;
}

function grouped(condition: Explained): string {
  return 'of' in condition ? `(${inline(condition)})` : inline(condition);
}
