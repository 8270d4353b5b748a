import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

/** Stable: programs compare it, users see it. */
export type ReleaseErrorCode =
  | 'ERR_RELEASE_INVALID' // release.json has not the fields it must have
  | 'ERR_RELEASE_LAYOUT' // it is of a layout that this version does not know
  | 'ERR_RELEASE_VERSION' // a text that is no version
  | 'ERR_RELEASE_KEY' // a key that is not Ed25519
  | 'ERR_RELEASE_SIGNATURE'; // no given key has signed these bytes

const kinds: ErrorKinds<ReleaseErrorCode> = {
  ERR_RELEASE_INVALID: 'invalid',
  ERR_RELEASE_LAYOUT: 'unsupported',
  ERR_RELEASE_VERSION: 'invalid',
  ERR_RELEASE_KEY: 'invalid',
  ERR_RELEASE_SIGNATURE: 'denied',
};

/** A release that can't be used, with the file and the field that says so. */
export class ReleaseError extends CodedError<ReleaseErrorCode> {
  /** The file, as the caller named it. */
  readonly file: string;
  /** As `files.amd64/kernel.size`; undefined when the file as a whole is meant. */
  readonly field: string | undefined;

  constructor(code: ReleaseErrorCode, file: string, field: string | undefined, what: string) {
    super(code, `${file}: ${field === undefined ? '' : `${field}: `}${what}`);
    this.file = file;
    this.field = field;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ReleaseError';
  }
}
