import { CodedError } from '@nodecore/sys';

export type KmsErrorCode =
  | 'ERR_KMS_ENDPOINT' // the endpoint's text is not one
  | 'ERR_KMS_UNREACHABLE' // no connection
  | 'ERR_KMS_TIMEOUT' // no answer in time
  | 'ERR_KMS_CERTIFICATE' // the server's certificate is not trusted, or it does not take ours
  | 'ERR_KMS_REFUSED' // the server says no: not for this node, or not what it sealed
  | 'ERR_KMS_BUSY' // the server asks to come back later
  | 'ERR_KMS_ANSWER' // an answer that can't be one
  | 'ERR_KMS_FAILED'; // anything else; see the cause

/** A key server, and what it did not do. Never contains key material. */
export class KmsError extends CodedError<KmsErrorCode> {
  readonly endpoint: string;

  constructor(code: KmsErrorCode, endpoint: string, message: string, options: { cause?: unknown } = {}) {
    super(code, `kms ${endpoint}: ${message}`, options);
    this.endpoint = endpoint;
  }

  static {
    this.prototype.name = 'KmsError';
  }
}
