import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type LifecycleErrorCode =
  | 'ERR_LIFECYCLE_NO_INIT' // nobody could reboot the machine: another program than our PID 1 has started the agent
  | 'ERR_LIFECYCLE_LOCKED' // another sequence runs, which this one does not take over
  | 'ERR_LIFECYCLE_CANCELED' // another sequence has taken over
  | 'ERR_LIFECYCLE_REQUEST'; // a field of the request holds what it can't

const kinds: ErrorKinds<LifecycleErrorCode> = {
  ERR_LIFECYCLE_NO_INIT: 'refused',
  ERR_LIFECYCLE_LOCKED: 'refused',
  ERR_LIFECYCLE_CANCELED: 'aborted',
  ERR_LIFECYCLE_REQUEST: 'invalid',
};

/** Why the machine neither reboots nor goes off. */
export class LifecycleError extends CodedError<LifecycleErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'LifecycleError';
  }
}
