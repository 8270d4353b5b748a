export type SelectorErrorCode =
  | 'ERR_SELECTOR_SYNTAX' // the text is not an expression
  | 'ERR_SELECTOR_TYPE' // it is one, but names or types don't fit, or it does not answer yes or no
  | 'ERR_SELECTOR_LIMIT'; // it is too long, or has too many parts in each other

/**
 * A selector that can't be used, with the place in its text.
 *
 * Carries a `code` like every error here, but does not extend `CodedError`: importing that would load native code, and
 * selectors are compiled by programs that never touch a device.
 */
export class SelectorError extends Error {
  readonly code: SelectorErrorCode;
  /** The whole text of the selector. */
  readonly expression: string;
  /** What is wrong, in one line. */
  readonly reason: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;

  constructor(code: SelectorErrorCode, expression: string, offset: number, reason: string) {
    const { line, column, excerpt } = locate(expression, offset);
    super(`${reason} (line ${line}, column ${column})\n${excerpt}`);
    this.code = code;
    this.expression = expression;
    this.reason = reason;
    this.line = line;
    this.column = column;
  }

  static {
    this.prototype.name = 'SelectorError';
  }
}

const excerptBefore = 160;
const excerptBehind = 80;

/** Where an offset is for a person: line, column, and the line itself with a caret below. */
export function locate(text: string, offset: number): { line: number; column: number; excerpt: string } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const start = before.lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', start);
  // Of a very long line, only what is around the place.
  const from = Math.max(start, offset - excerptBefore);
  const shown = text.slice(from, Math.min(end === -1 ? text.length : end, offset + excerptBehind));
  // Tabs are kept below the text, so that the caret stays under its character whatever a tab's width is.
  const indent = text.slice(from, offset).replaceAll(/[^\t]/g, ' ');
  return { line, column: offset - start + 1, excerpt: `  ${shown}\n  ${indent}^` };
}
