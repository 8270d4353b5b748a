import { CodedError, type ErrorKind } from '@nodecore/sys/pure';

/** The command line makes no sense; the message says what would. */
export class UsageError extends CodedError<'ERR_USAGE'> {
  constructor(message: string) {
    super('ERR_USAGE', message);
  }

  override get kind(): ErrorKind {
    return 'invalid';
  }

  static {
    this.prototype.name = 'UsageError';
  }
}
