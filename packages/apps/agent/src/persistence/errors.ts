import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type PersistenceErrorCode =
  | 'ERR_STATE_NO_SYSTEM_DISK' // no disk with a META partition
  | 'ERR_STATE_AMBIGUOUS' // several disks with a META partition
  | 'ERR_STATE_DISK_MISSING' // a disk that a reset names is not here, or two are like it
  | 'ERR_STATE_DAMAGED' // what is stored is not what we wrote
  | 'ERR_STATE_NOT_READY' // the STATE volume can't be made or opened; the message says why
  | 'ERR_STATE_TIMEOUT'; // it did not become ready in time

const kinds: ErrorKinds<PersistenceErrorCode> = {
  ERR_STATE_NO_SYSTEM_DISK: 'refused',
  ERR_STATE_AMBIGUOUS: 'refused',
  ERR_STATE_DISK_MISSING: 'refused',
  ERR_STATE_DAMAGED: 'damaged',
  ERR_STATE_NOT_READY: 'refused',
  ERR_STATE_TIMEOUT: 'timeout',
};

/** What keeps the node from remembering, and where. */
export class PersistenceError extends CodedError<PersistenceErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'PersistenceError';
  }
}
