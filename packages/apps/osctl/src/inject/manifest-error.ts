import { CodedError, type ErrorKind } from '@nodecore/sys/pure';

/** A manifest that nothing can be injected into. */
export class ManifestError extends CodedError<'ERR_MANIFEST'> {
  constructor(file: string, line: number, words: string) {
    super('ERR_MANIFEST', `${file}:${line}: ${words}`);
  }

  override get kind(): ErrorKind {
    return 'invalid';
  }

  static {
    this.prototype.name = 'ManifestError';
  }
}
