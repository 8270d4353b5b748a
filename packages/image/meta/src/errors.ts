import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

export type MetaErrorCode =
  | 'ERR_META_DAMAGED' // there is something on the partition, but no whole record
  | 'ERR_META_TOO_LARGE' // the values don't fit into one copy
  | 'ERR_META_TAG' // a tag that no value can have
  | 'ERR_META_VALUE'; // the value of a tag is not what that tag holds

const kinds: ErrorKinds<MetaErrorCode> = {
  ERR_META_DAMAGED: 'damaged',
  ERR_META_TOO_LARGE: 'exhausted',
  ERR_META_TAG: 'invalid',
  ERR_META_VALUE: 'damaged',
};

/** Why the values of META can't be read or written. */
export class MetaError extends CodedError<MetaErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'MetaError';
  }
}
