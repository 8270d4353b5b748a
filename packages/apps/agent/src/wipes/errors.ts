import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type WipeErrorCode =
  | 'ERR_WIPE_NOT_FOUND' // the node has no disk or partition of this name
  | 'ERR_WIPE_REQUEST' // a field of the request holds what it can't
  | 'ERR_WIPE_REFUSED' // it is used, or must not be written to
  | 'ERR_WIPE_BUSY'; // another wipe is at work

const kinds: ErrorKinds<WipeErrorCode> = {
  ERR_WIPE_NOT_FOUND: 'not-found',
  ERR_WIPE_REQUEST: 'invalid',
  ERR_WIPE_REFUSED: 'refused',
  ERR_WIPE_BUSY: 'busy',
};

/** Why the node wipes nothing. */
export class WipeError extends CodedError<WipeErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'WipeError';
  }
}
