import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type MetaRequestErrorCode =
  | 'ERR_META_KEY' // no key of META, or one that is the node's own
  | 'ERR_META_CONTENT' // a value that META does not take
  | 'ERR_META_DENIED' // a key that nobody without a certificate may change
  | 'ERR_META_ABSENT' // the key has no value
  | 'ERR_META_HELD' // what the value says is in force, and has another way to be changed
  | 'ERR_META_NONE'; // the machine has no META

const kinds: ErrorKinds<MetaRequestErrorCode> = {
  ERR_META_KEY: 'invalid',
  ERR_META_CONTENT: 'invalid',
  ERR_META_DENIED: 'denied',
  ERR_META_ABSENT: 'not-found',
  ERR_META_HELD: 'refused',
  ERR_META_NONE: 'refused',
};

/** Why META keeps the value that it has. */
export class MetaRequestError extends CodedError<MetaRequestErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'MetaRequestError';
  }
}
