import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type SigningErrorCode =
  | 'ERR_SIGNING_PROOF' // the caller does not have the token of this cluster
  | 'ERR_SIGNING_REQUEST' // a field of the request holds what it can't
  | 'ERR_SIGNING_NAMES' // none of the names is the caller's
  | 'ERR_SIGNING_BUSY' // too many certificates are asked for
  | 'ERR_SIGNING_CLOSED' // this node signs nothing now
  | 'ERR_SIGNING_ANSWER'; // of a worker: what came back can't be used

const kinds: ErrorKinds<SigningErrorCode> = {
  ERR_SIGNING_PROOF: 'denied',
  ERR_SIGNING_REQUEST: 'invalid',
  ERR_SIGNING_NAMES: 'refused',
  ERR_SIGNING_BUSY: 'exhausted',
  ERR_SIGNING_CLOSED: 'unavailable',
  ERR_SIGNING_ANSWER: 'unavailable',
};

/** Why a certificate was not signed, or was not taken. */
export class SigningError extends CodedError<SigningErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'SigningError';
  }
}
