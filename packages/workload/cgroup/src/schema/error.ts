export type SchemaErrorCode =
  | 'ERR_SCHEMA_SYNTAX' // a template that can't be parsed, or a construct outside the subset
  | 'ERR_SCHEMA_FIELD' // no such field, function or variable
  | 'ERR_SCHEMA_EVALUATE' // a value that a function can't work with
  | 'ERR_SCHEMA_BUDGET' // a table that takes too many steps or too much text
  | 'ERR_SCHEMA_FILE'; // a schema file that is none

/**
 * A template that can't be used, with the place in its text.
 *
 * Carries a `code` like every error here, but does not extend `CodedError`: importing that would load native code, and
 * tables are made by programs that never touch a cgroup.
 */
export class SchemaError extends Error {
  readonly code: SchemaErrorCode;
  /** What is wrong, in one line. */
  readonly reason: string;
  /** 1-based, in the template. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** Header of the column whose template it is. */
  readonly header: string | undefined;

  constructor(
    code: SchemaErrorCode,
    reason: string,
    place: { readonly text: string; readonly offset: number; readonly header?: string | undefined },
  ) {
    const before = place.text.slice(0, place.offset);
    const line = before.split('\n').length;
    const column = place.offset - before.lastIndexOf('\n');
    const where = `line ${line}, column ${column}`;
    super(
      place.header === undefined ? `${reason} (${where})` : `column "${place.header}": ${reason} (${where})`,
    );
    this.code = code;
    this.reason = reason;
    this.line = line;
    this.column = column;
    this.header = place.header;
  }

  static {
    this.prototype.name = 'SchemaError';
  }
}
