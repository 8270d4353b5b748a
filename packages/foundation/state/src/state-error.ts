import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type StateErrorCode =
  | 'ERR_STATE_COMPACTED' // the changes after that revision are not known any more
  | 'ERR_STATE_FUTURE' // that revision has not come yet: of another store, or of before a restore
  | 'ERR_STATE_OVERRUN' // the reader of a watch was too slow, and changes were dropped
  | 'ERR_STATE_INVALID' // the request itself: a key, a spec that is no JSON, a key named twice
  | 'ERR_STATE_LIMIT' // more at once than the driver can write
  | 'ERR_STATE_NO_SPACE' // no room for the write; nothing of it was written
  | 'ERR_STATE_DENIED' // the store asks for another user
  | 'ERR_STATE_UNAVAILABLE' // nobody answers; nothing was written
  | 'ERR_STATE_UNKNOWN' // the answer was lost: it may have been written
  | 'ERR_STATE_LOCKED' // another process has the file
  | 'ERR_STATE_NEWER' // written by a newer version of this package
  | 'ERR_STATE_KEY' // what is stored is sealed, and none of the keys opens it
  | 'ERR_STATE_CORRUPT' // what is stored is not what was written
  | 'ERR_STATE_FAILED'; // anything else

const kinds: ErrorKinds<StateErrorCode> = {
  ERR_STATE_COMPACTED: 'out-of-range',
  ERR_STATE_FUTURE: 'out-of-range',
  ERR_STATE_OVERRUN: 'out-of-range',
  ERR_STATE_INVALID: 'invalid',
  ERR_STATE_LIMIT: 'exhausted',
  ERR_STATE_NO_SPACE: 'exhausted',
  ERR_STATE_DENIED: 'denied',
  ERR_STATE_UNAVAILABLE: 'unavailable',
  ERR_STATE_UNKNOWN: 'timeout',
  ERR_STATE_LOCKED: 'busy',
  ERR_STATE_NEWER: 'unsupported',
  ERR_STATE_KEY: 'denied',
  ERR_STATE_CORRUPT: 'damaged',
  ERR_STATE_FAILED: 'internal',
};

/** What is wrong with a store or with a request to it. The subject is a file, an endpoint, a kind or a key. */
export class StateError extends CodedError<StateErrorCode> {
  readonly subject: string;

  constructor(code: StateErrorCode, subject: string, message: string, options?: ErrorOptions) {
    super(code, `${subject}: ${message}`, options);
    this.subject = subject;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'StateError';
  }
}
