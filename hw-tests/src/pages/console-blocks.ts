/** A command of a page, with what the page says that it prints. */
export type ConsoleStep = {
  /** Where it stands in the page, from 1. */
  readonly line: number;
  readonly command: string;
  /** Empty where the page shows nothing: then only its success counts. */
  readonly expected: readonly string[];
};

/**
 * The commands of the blocks of a page that begin with three backquotes and `console run`. A command follows `$ ` or `# ` and
 * goes on behind a backslash at the end of a line; what is between it and the next one is what it prints.
 *
 * @throws {SyntaxError} for a block that does not begin with a command.
 */
export function consoleSteps(page: string): readonly ConsoleStep[] {
  const steps: { line: number; command: string; expected: string[] }[] = [];
  let isInside = false;
  let goesOn = false;
  for (const [index, text] of page.split('\n').entries()) {
    const line = index + 1;
    const last = steps.at(-1);
    if (!isInside) {
      isInside = text === '```console run';
      if (isInside && page.split('\n')[line]?.match(/^[$#] /) === null)
        throw new SyntaxError(`line ${line}: the block does not begin with a command`);
    } else if (text === '```') isInside = false;
    else if (goesOn && last !== undefined) last.command += `\n${text}`;
    else if (/^[$#] /.test(text)) steps.push({ line, command: text.slice(2), expected: [] });
    else last?.expected.push(text);
    goesOn = isInside && text.endsWith('\\');
  }
  return steps;
}

/**
 * The first difference between what a page shows and what was printed, in words; undefined when there is none. `…` stands for
 * any text within a line, and alone in its line for any lines.
 */
export function difference(expected: readonly string[], printed: string): string | undefined {
  const lines = printed
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.trimEnd());
  let at = 0;
  for (const [index, line] of expected.map((text) => text.trimEnd()).entries()) {
    if (line === '…') {
      const next = expected[index + 1];
      if (next === undefined) return undefined;
      while (at < lines.length && !isLike(next.trimEnd(), lines[at] ?? '')) at += 1;
      continue;
    }
    const found = lines[at];
    if (found === undefined) return `nothing more in place of ${JSON.stringify(line)}`;
    if (!isLike(line, found)) return `${JSON.stringify(found)} in place of ${JSON.stringify(line)}`;
    at += 1;
  }
  return at < lines.length ? `also ${JSON.stringify(lines[at])}` : undefined;
}

function isLike(expected: string, found: string): boolean {
  const [first = '', ...parts] = expected.split('…');
  if (parts.length === 0) return found === first;
  const last = parts.pop() ?? '';
  if (!found.startsWith(first) || !found.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const place = found.indexOf(part, at);
    if (place < 0) return false;
    at = place + part.length;
  }
  return at + last.length <= found.length;
}
