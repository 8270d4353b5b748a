import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ProfileErrorCode =
  | 'ERR_PROFILE_BUSY' // another one is being taken
  | 'ERR_PROFILE_MEMORY' // the node has no room for a heap snapshot
  | 'ERR_PROFILE_SIZE' // the agent's heap is too large to be looked at while PID 1 waits
  | 'ERR_PROFILE_REQUEST'; // a field of the request holds what it can't

const kinds: ErrorKinds<ProfileErrorCode> = {
  ERR_PROFILE_BUSY: 'busy',
  ERR_PROFILE_MEMORY: 'exhausted',
  ERR_PROFILE_SIZE: 'exhausted',
  ERR_PROFILE_REQUEST: 'invalid',
};

/** Why the agent takes no profile of itself. */
export class ProfileError extends CodedError<ProfileErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ProfileError';
  }
}
