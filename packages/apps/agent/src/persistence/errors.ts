import { CodedError } from '@nodecore/sys';

export type StateErrorCode =
  | 'ERR_STATE_NO_SYSTEM_DISK' // no disk with a META partition
  | 'ERR_STATE_AMBIGUOUS' // several disks with a META partition
  | 'ERR_STATE_DAMAGED' // what is stored is not what we wrote
  | 'ERR_STATE_NOT_READY' // the STATE volume can't be made or opened; the message says why
  | 'ERR_STATE_TIMEOUT' // it did not become ready in time
  | 'ERR_STATE_TOO_LARGE'; // META has no room for it

/** What keeps the node from remembering, and where. */
export class StateError extends CodedError<StateErrorCode> {
  static {
    this.prototype.name = 'StateError';
  }
}
