import { CodedError, type ErrorKind } from '@nodecore/sys/pure';

/** A configuration has problems, which are printed already. */
export class InvalidError extends CodedError<'ERR_INVALID'> {
  constructor(message: string) {
    super('ERR_INVALID', message);
  }

  override get kind(): ErrorKind {
    return 'invalid';
  }

  static {
    this.prototype.name = 'InvalidError';
  }
}
