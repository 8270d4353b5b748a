import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

/** Stable: programs compare it, users see it. */
export type PkiErrorCode =
  | 'ERR_PKI_CERTIFICATE' // not a certificate that can be read
  | 'ERR_PKI_KEY' // not a private key that can be read, or of a kind we don't use
  | 'ERR_PKI_REQUEST' // not a certificate request, or its signature is wrong
  | 'ERR_PKI_AUTHORITY' // certificate and key can't act as an authority
  | 'ERR_PKI_FINGERPRINT'; // not a fingerprint

const kinds: ErrorKinds<PkiErrorCode> = {
  ERR_PKI_CERTIFICATE: 'invalid',
  ERR_PKI_KEY: 'invalid',
  ERR_PKI_REQUEST: 'invalid',
  ERR_PKI_AUTHORITY: 'invalid',
  ERR_PKI_FINGERPRINT: 'invalid',
};

/** Certificate material that can't be used. Never carries key bytes, nor a cause that might. */
export class PkiError extends CodedError<PkiErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'PkiError';
  }
}
