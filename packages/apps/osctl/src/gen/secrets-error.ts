import { CodedError, type ErrorKind } from '@nodecore/sys/pure';

/** Secrets of a cluster that are missing or wrong; no message holds a value. */
export class SecretsError extends CodedError<'ERR_SECRETS'> {
  constructor(file: string, problems: readonly string[], advice = '') {
    super('ERR_SECRETS', `${file}: ${problems.join('; ')}${advice}`);
  }

  override get kind(): ErrorKind {
    return 'invalid';
  }

  static {
    this.prototype.name = 'SecretsError';
  }
}
