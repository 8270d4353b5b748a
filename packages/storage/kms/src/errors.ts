import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type KmsErrorCode =
  | 'ERR_KMS_UNREACHABLE' // no connection, or it was lost before the answer
  | 'ERR_KMS_TIMEOUT' // no answer in time
  | 'ERR_KMS_CERTIFICATE' // the server's certificate is not trusted, or it does not take ours; see `reason`
  | 'ERR_KMS_REFUSED' // the server says no: not for this node, or not what it sealed
  | 'ERR_KMS_BUSY' // the server asks to come back later
  | 'ERR_KMS_ANSWER' // an answer that can't be one
  | 'ERR_KMS_FAILED'; // anything else; see the cause

const kinds: ErrorKinds<KmsErrorCode> = {
  ERR_KMS_UNREACHABLE: 'unavailable',
  ERR_KMS_TIMEOUT: 'timeout',
  ERR_KMS_CERTIFICATE: 'refused',
  ERR_KMS_REFUSED: 'denied',
  ERR_KMS_BUSY: 'busy',
  ERR_KMS_ANSWER: 'internal',
  ERR_KMS_FAILED: 'internal',
};

/** What is wrong with a certificate. */
export type CertificateReason =
  | 'untrusted' // the server's is not signed by a root we trust, or not for servers
  | 'expired'
  | 'not-yet-valid' // or our clock is wrong
  | 'host' // the server's is for other names
  | 'refused' // the server does not accept ours, or wants one
  | 'unusable'; // ours, its key, or one of our roots can't be read

export type KmsErrorFields = {
  readonly cause?: unknown;
  readonly reason?: CertificateReason;
  readonly status?: string;
};

/** A key server, and what it did not do. Never contains key material. */
export class KmsError extends CodedError<KmsErrorCode> {
  /** The endpoint as it was written. */
  readonly endpoint: string;
  /** Of `ERR_KMS_CERTIFICATE`. */
  readonly reason: CertificateReason | undefined;
  /** The gRPC status that the server answered, `PERMISSION_DENIED`. */
  readonly status: string | undefined;

  constructor(code: KmsErrorCode, endpoint: string, message: string, fields: KmsErrorFields = {}) {
    super(
      code,
      `kms ${endpoint}: ${message}`,
      fields.cause === undefined ? undefined : { cause: fields.cause },
    );
    this.endpoint = endpoint;
    this.reason = fields.reason;
    this.status = fields.status;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'KmsError';
  }
}
