import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

/** Stable: programs compare it, users see it. */
export type OciErrorCode =
  | 'ERR_OCI_REFERENCE' // not the reference of an image
  | 'ERR_OCI_DIGEST' // bytes have not the digest or the size that was asked for
  | 'ERR_OCI_MANIFEST' // not a manifest or index that can be read
  | 'ERR_OCI_LAYER' // a layer that can't be unpacked, or that goes where it must not
  | 'ERR_OCI_NOT_FOUND' // the registry has no such thing
  | 'ERR_OCI_DENIED' // the registry wants other credentials, or none help
  | 'ERR_OCI_INSECURE' // it would go in plain text, or with credentials to somebody else
  | 'ERR_OCI_UNAVAILABLE' // the registry does not answer, or says that it can't now
  | 'ERR_OCI_ANSWER'; // the registry's answer is none that fits

const kinds: ErrorKinds<OciErrorCode> = {
  ERR_OCI_REFERENCE: 'invalid',
  ERR_OCI_DIGEST: 'damaged',
  ERR_OCI_MANIFEST: 'damaged',
  ERR_OCI_LAYER: 'damaged',
  ERR_OCI_NOT_FOUND: 'not-found',
  ERR_OCI_DENIED: 'denied',
  ERR_OCI_INSECURE: 'refused',
  ERR_OCI_UNAVAILABLE: 'unavailable',
  ERR_OCI_ANSWER: 'unavailable',
};

/** What can't be done with an image or a registry. Never has credentials in it. */
export class OciError extends CodedError<OciErrorCode> {
  /** Of the registry's answer, where that is what is wrong. */
  readonly status: number | undefined;

  constructor(
    code: OciErrorCode,
    message: string,
    options: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(code, message, options);
    this.status = options.status;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'OciError';
  }
}
