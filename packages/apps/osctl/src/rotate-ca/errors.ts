import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

export type RotationErrorCode =
  | 'ERR_ROTATION_NODE' // a node is in a state from which no rotation goes on
  | 'ERR_ROTATION_FILE' // the file of the rotation is none, or is of another one
  | 'ERR_ROTATION_KEY' // what is needed to go back is not there
  | 'ERR_ROTATION_TIMEOUT'; // a step was made, and did not show in time

const kinds: ErrorKinds<RotationErrorCode> = {
  ERR_ROTATION_NODE: 'refused',
  ERR_ROTATION_FILE: 'invalid',
  ERR_ROTATION_KEY: 'refused',
  ERR_ROTATION_TIMEOUT: 'timeout',
};

/** Why a rotation does not begin, or has stopped between two steps. */
export class RotationError extends CodedError<RotationErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'RotationError';
  }
}
