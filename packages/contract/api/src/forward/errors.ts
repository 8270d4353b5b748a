import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ForwardErrorCode =
  | 'ERR_FORWARD_UNREACHABLE' // no connection to the other end
  | 'ERR_FORWARD_UNTRUSTED' // what answers there is not who was meant, or does not let us in
  | 'ERR_FORWARD_LOST' // the connection ended before the call did
  | 'ERR_FORWARD_MESSAGE'; // what the other end sends is no message, or a larger one than is passed on

const kinds: ErrorKinds<ForwardErrorCode> = {
  ERR_FORWARD_UNREACHABLE: 'unavailable',
  ERR_FORWARD_UNTRUSTED: 'refused',
  ERR_FORWARD_LOST: 'unavailable',
  ERR_FORWARD_MESSAGE: 'exhausted',
};

/** Why a call could not be passed on, or has no end of its own. */
export class ForwardError extends CodedError<ForwardErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ForwardError';
  }
}
