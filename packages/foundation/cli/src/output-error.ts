import { CodedError, type ErrorKind } from '@nodecore/sys/pure';

/** A file that can't be written, or not any further. */
export class OutputError extends CodedError<'ERR_OUTPUT'> {
  constructor(path: string, errno: string) {
    super('ERR_OUTPUT', `${path}: ${errno}; what was written before is whole`);
  }

  override get kind(): ErrorKind {
    return 'internal';
  }

  static {
    this.prototype.name = 'OutputError';
  }
}
