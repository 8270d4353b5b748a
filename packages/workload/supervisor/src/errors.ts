import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type SupervisorErrorCode =
  | 'ERR_SERVICE_BUSY' // another process supervises the services of this directory
  | 'ERR_SERVICE_NAME' // an id that can't be
  | 'ERR_SERVICE_NEEDS' // services need each other
  | 'ERR_SERVICE_NOT_FOUND' // nobody has defined a service with this id
  | 'ERR_SERVICE_OPERATION' // the service allows no such operation
  | 'ERR_SERVICE_PROGRAM'; // the program, or its keeper, can't be started

const kinds: ErrorKinds<SupervisorErrorCode> = {
  ERR_SERVICE_BUSY: 'busy',
  ERR_SERVICE_NAME: 'invalid',
  ERR_SERVICE_NEEDS: 'invalid',
  ERR_SERVICE_NOT_FOUND: 'not-found',
  ERR_SERVICE_OPERATION: 'refused',
  ERR_SERVICE_PROGRAM: 'internal',
};

/** A service can't be what it should. */
export class SupervisorError extends CodedError<SupervisorErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'SupervisorError';
  }
}
