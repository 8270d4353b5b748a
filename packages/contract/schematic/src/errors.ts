import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

/** Stable: programs compare it, users see it. */
export type SchematicErrorCode =
  | 'ERR_SCHEMATIC_SYNTAX' // not YAML, or YAML that is refused: anchors, tags, a second document
  | 'ERR_SCHEMATIC_FIELD' // a field that is unknown, given twice, or of another type
  | 'ERR_SCHEMATIC_VALUE' // a value that can't be used
  | 'ERR_SCHEMATIC_LIMIT'; // longer, deeper or more than is read

const kinds: ErrorKinds<SchematicErrorCode> = {
  ERR_SCHEMATIC_SYNTAX: 'invalid',
  ERR_SCHEMATIC_FIELD: 'invalid',
  ERR_SCHEMATIC_VALUE: 'invalid',
  ERR_SCHEMATIC_LIMIT: 'invalid',
};

/** Where something is in a text: line and column, both counted from 1. */
export type Position = { readonly line: number; readonly column: number };

/** A schematic that is refused, with the place in its text. Never has the text itself, which may hold a join token. */
export class SchematicError extends CodedError<SchematicErrorCode> {
  readonly line: number;
  readonly column: number;
  /** As `customization.meta[0].key`; empty for the text as a whole. */
  readonly field: string;

  constructor(code: SchematicErrorCode, { line, column }: Position, field: string, what: string) {
    super(code, `line ${line}, column ${column}: ${field === '' ? '' : `${field}: `}${what}`);
    this.line = line;
    this.column = column;
    this.field = field;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'SchematicError';
  }
}
