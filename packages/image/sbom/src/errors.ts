import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

/** Stable: programs compare it, users see it. */
export type SbomErrorCode =
  | 'ERR_SBOM_INVALID' // a document or a list has not the fields it must have
  | 'ERR_SBOM_DATABASE'; // what is known of vulnerabilities can't be read or kept

const kinds: ErrorKinds<SbomErrorCode> = {
  ERR_SBOM_INVALID: 'invalid',
  ERR_SBOM_DATABASE: 'damaged',
};

/** A document that says nothing, with the field that is wrong. */
export class SbomError extends CodedError<SbomErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'SbomError';
  }
}
