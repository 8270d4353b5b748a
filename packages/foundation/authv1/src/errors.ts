import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type Authv1ErrorCode =
  | 'ERR_AUTHV1_SIGNATURE' // the call is not signed, or not as it came
  | 'ERR_AUTHV1_KEY' // not a key that can be used
  | 'ERR_AUTHV1_NO_KEY' // there is no file with a key where it was looked for
  | 'ERR_AUTHV1_ACCOUNT'; // not the text of a service account

const kinds: ErrorKinds<Authv1ErrorCode> = {
  ERR_AUTHV1_SIGNATURE: 'denied',
  ERR_AUTHV1_KEY: 'invalid',
  ERR_AUTHV1_NO_KEY: 'refused',
  ERR_AUTHV1_ACCOUNT: 'invalid',
};

/** A call or key that can't be used. Never carries key bytes, nor a cause that might. */
export class Authv1Error extends CodedError<Authv1ErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'Authv1Error';
  }
}
