import { printable } from './output/table.ts';

/**
 * An error as lines for people: what happened, with what to do next, and a line for each problem of a document that it has.
 * Nothing in them moves the cursor.
 *
 * @param advice what to do next, if anything is known.
 */
export function linesOf(error: unknown, advice?: string): string[] {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');
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
