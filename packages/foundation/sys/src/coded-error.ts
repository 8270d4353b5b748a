import { type ErrorKind, kindPolicies, type KindPolicy } from './error-kind.ts';

/** An error that a program can tell apart: `code` is API, `message` is for people. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** What the code means to a program that does not know it. Not an own property: logs and reports don't show it. */
  abstract get kind(): ErrorKind;
}

/** The `code` of a coded error or of a Node.js system error; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The kind of a coded error; undefined for anything else. */
export function kindOf(error: unknown): ErrorKind | undefined {
  return error instanceof CodedError ? error.kind : undefined;
}

/** What follows from the kind of an error; undefined for an error without one. */
export function policyOf(error: unknown): KindPolicy | undefined {
  const kind = kindOf(error);
  return kind === undefined ? undefined : kindPolicies[kind];
}
