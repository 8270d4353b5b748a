import type { Problem } from '@nodecore/config';
import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ApplyErrorCode =
  | 'ERR_APPLY_IN_PROGRESS' // another configuration is being applied
  | 'ERR_APPLY_CONFLICT' // the configuration changed since the caller read it
  | 'ERR_APPLY_MODE' // this mode makes no sense now
  | 'ERR_APPLY_CONFIGURED' // an anonymous caller, and the node has a configuration
  | 'ERR_APPLY_REFUSED'; // it is valid, but not for this node as it is; see `problems`

const kinds: ErrorKinds<ApplyErrorCode> = {
  ERR_APPLY_IN_PROGRESS: 'busy',
  ERR_APPLY_CONFLICT: 'refused',
  ERR_APPLY_MODE: 'refused',
  ERR_APPLY_CONFIGURED: 'denied',
  ERR_APPLY_REFUSED: 'invalid',
};

/** Why a configuration was not applied. Nothing has changed. */
export class ApplyError extends CodedError<ApplyErrorCode> {
  readonly problems: readonly Problem[];

  constructor(code: ApplyErrorCode, message: string, problems: readonly Problem[] = []) {
    super(code, message);
    this.problems = problems;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ApplyError';
  }
}
