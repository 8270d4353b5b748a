import { CodedError, type ErrorKind } from '@nodecore/sys/pure';

/** A text that is not the endpoint of a key server. Never repeats a user or a password. */
export class KmsEndpointError extends CodedError<'ERR_KMS_ENDPOINT'> {
  /** The text as it was written, shortened, without what stands before an `@`. */
  readonly endpoint: string;
  /** Where the text goes wrong, from 1. */
  readonly column: number;

  constructor(endpoint: string, column: number, message: string) {
    super('ERR_KMS_ENDPOINT', `kms ${endpoint}: column ${column}: ${message}`);
    this.endpoint = endpoint;
    this.column = column;
  }

  override get kind(): ErrorKind {
    return 'invalid';
  }

  static {
    this.prototype.name = 'KmsEndpointError';
  }
}
