import { CodedError, type ErrorKind } from '@nodecore/sys';

export type NewErrorCode =
  | 'ERR_NEW_USAGE' // the command line makes no sense
  | 'ERR_NEW_NAME' // no kebab-case noun, or a word that the language has
  | 'ERR_NEW_EXISTS' // something of this name is there
  | 'ERR_NEW_PLACE'; // the place where a line belongs was not found

const kinds: Readonly<Record<NewErrorCode, ErrorKind>> = {
  ERR_NEW_USAGE: 'invalid',
  ERR_NEW_NAME: 'invalid',
  ERR_NEW_EXISTS: 'exists',
  ERR_NEW_PLACE: 'internal',
};

/** Nothing was written: the name can't be taken, or the sources are not as this program knows them. */
export class NewError extends CodedError<NewErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'NewError';
  }
}
