import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

/** Stable: programs compare it, users see it. */
export type UkiErrorCode =
  | 'ERR_UKI_SECTION' // a section that can't be, or that is missing or there twice
  | 'ERR_UKI_KEY'; // a key that can't sign PCR 11

const kinds: ErrorKinds<UkiErrorCode> = {
  ERR_UKI_SECTION: 'invalid',
  ERR_UKI_KEY: 'invalid',
};

/** What makes a unified kernel image impossible. */
export class UkiError extends CodedError<UkiErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'UkiError';
  }
}
