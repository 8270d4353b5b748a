import { printable } from './output/table.ts';

/**
 * An error as lines for people: what happened, with what to do next, and a line for each problem of a document that it has.
 * Several things that happened are on one line: nothing in a message moves the cursor, or looks like a line of ours.
 *
 * @param advice what to do next, if anything is known.
 */
export function linesOf(error: unknown, advice?: string): string[] {
  const said = error instanceof Error ? error.message : String(error);
  const [first = '', ...more] = said.split(/\s*\r?\n\s*/u).filter((part) => part !== '');
  const message = more.reduce((line, part) => `${line}${/[:;,]$/u.test(line) ? '' : ';'} ${part}`, first);
  return [message + (advice === undefined ? '' : `; ${advice}`), ...problemLines(error)].map(printable);
}

type Located = {
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly document: string;
  readonly path: string;
  readonly message: string;
  readonly code: string;
};

/** As the configuration package prints its own problems; those from a node have the same fields but for the file. */
function problemLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null || !('problems' in error) || !Array.isArray(error.problems))
    return [];
  return (error.problems as Located[]).map(({ file, line, column, document, path, message, code }) => {
    const where = [document, path].filter((part) => part !== '').join(' ');
    return `${file ?? '<config>'}:${line}:${column}: ${where === '' ? '' : `${where}: `}${message} (${code})`;
  });
}
