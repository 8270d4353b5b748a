/** What is wrong with a text: it is no expression, its names or types don't fit, or it is too large. */
export type MistakeKind = 'syntax' | 'type' | 'limit';

/** The text can't be used; found before anything is evaluated. */
export class Mistake extends Error {
  readonly kind: MistakeKind;
  /** Where in the text, in UTF-16 code units. */
  readonly offset: number;

  constructor(kind: MistakeKind, offset: number, message: string) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }
}

/** An evaluation that has no result. */
export class Failure extends Error {
  /** Where in the text; set by the innermost part that failed. */
  offset: number | undefined;
}

/** An evaluation that was given up. It is no error that `||` or `exists` may pass over. */
export class TooCostly extends Failure {}
