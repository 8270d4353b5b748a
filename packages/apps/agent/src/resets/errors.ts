import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ResetErrorCode =
  | 'ERR_RESET_HOST' // the node keeps its state in a directory of a host that is not its own
  | 'ERR_RESET_REQUEST' // a field of the request holds what it can't, or two contradict each other
  | 'ERR_RESET_NOT_FOUND' // there is no such partition or disk
  | 'ERR_RESET_REFUSED' // it is not known what would be wiped, or it must not be
  | 'ERR_RESET_AWAITED' // a reset that was interrupted waits for a disk that it is to wipe
  | 'ERR_RESET_BUSY'; // the node is being reset, or does not know its disks yet

const kinds: ErrorKinds<ResetErrorCode> = {
  ERR_RESET_HOST: 'refused',
  ERR_RESET_REQUEST: 'invalid',
  ERR_RESET_NOT_FOUND: 'not-found',
  ERR_RESET_REFUSED: 'refused',
  ERR_RESET_AWAITED: 'unavailable',
  ERR_RESET_BUSY: 'busy',
};

/** Why the node is not reset. */
export class ResetError extends CodedError<ResetErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ResetError';
  }
}
