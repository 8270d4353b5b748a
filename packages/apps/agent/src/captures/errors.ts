import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type CapturesErrorCode =
  | 'ERR_CAPTURES_BUSY' // as many run as the node has memory for
  | 'ERR_CAPTURES_FILE' // the node has no capture file of this name
  | 'ERR_CAPTURES_REQUEST' // a field of the request holds what it can't
  | 'ERR_CAPTURES_SPACE' // the node has no room for the file
  | 'ERR_CAPTURES_UNKNOWN'; // no capture with this id runs

const kinds: ErrorKinds<CapturesErrorCode> = {
  ERR_CAPTURES_BUSY: 'exhausted',
  ERR_CAPTURES_FILE: 'not-found',
  ERR_CAPTURES_REQUEST: 'invalid',
  ERR_CAPTURES_SPACE: 'exhausted',
  ERR_CAPTURES_UNKNOWN: 'not-found',
};

/** Why the node does not capture, or not into a file. */
export class CapturesError extends CodedError<CapturesErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'CapturesError';
  }
}
