import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type FleetErrorCode =
  | 'ERR_FLEET_SETUP' // the command line, a file or an address can't be used
  | 'ERR_FLEET_UNAUTHENTICATED' // nobody is known to have signed the call
  | 'ERR_FLEET_DENIED' // the caller's role does not allow it
  | 'ERR_FLEET_REQUEST' // a field holds what it can't
  | 'ERR_FLEET_NOT_FOUND' // no such type or object
  | 'ERR_FLEET_EXISTS' // there is one of that name
  | 'ERR_FLEET_LIMIT' // too many of that kind
  | 'ERR_FLEET_TIMEOUT' // what was waited for did not come
  | 'ERR_FLEET_STATE' // the state of things forbids it
  | 'ERR_FLEET_BOOKMARK' // a place in the history that is not known any more
  | 'ERR_FLEET_NO_FACTORY' // the fleet was started without an image factory
  | 'ERR_FLEET_FACTORY' // its image factory does not answer, or not as it must
  | 'ERR_FLEET_STOPPING'; // the fleet manager ends

const kinds: ErrorKinds<FleetErrorCode> = {
  ERR_FLEET_SETUP: 'invalid',
  ERR_FLEET_UNAUTHENTICATED: 'denied',
  ERR_FLEET_DENIED: 'denied',
  ERR_FLEET_REQUEST: 'invalid',
  ERR_FLEET_NOT_FOUND: 'not-found',
  ERR_FLEET_EXISTS: 'exists',
  ERR_FLEET_LIMIT: 'exhausted',
  ERR_FLEET_TIMEOUT: 'timeout',
  ERR_FLEET_STATE: 'refused',
  ERR_FLEET_BOOKMARK: 'out-of-range',
  ERR_FLEET_NO_FACTORY: 'unsupported',
  ERR_FLEET_FACTORY: 'unavailable',
  ERR_FLEET_STOPPING: 'unavailable',
};

/** Why the fleet manager does not do what it was asked for. Its message is for the caller. */
export class FleetError extends CodedError<FleetErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'FleetError';
  }
}
