import { CodedError, type ErrorKind } from '@nodecore/sys/pure';
import { exitCodeOf, exitCodes } from './exit.ts';

/** What went wrong at one of several nodes. */
export type NodeFailure = {
  readonly node: string;
  readonly error: unknown;
  /** It is no endpoint, and was dialled itself. */
  readonly direct?: boolean;
};

/** Some nodes failed, others did not. */
export class PartialError extends CodedError<'ERR_PARTIAL'> {
  readonly failures: readonly NodeFailure[];

  constructor(failures: readonly NodeFailure[], total: number) {
    super('ERR_PARTIAL', `${failures.length} of ${total} nodes failed`);
    this.failures = failures;
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'PartialError';
  }
}

/** A filter or selector that can't be used; the message has a caret under the word on its last line. */
export class FilterError extends CodedError<'ERR_FILTER'> {
  constructor(message: string, cause: unknown) {
    super('ERR_FILTER', message, { cause });
  }

  override get kind(): ErrorKind {
    return 'invalid';
  }

  static {
    this.prototype.name = 'FilterError';
  }
}

/** Every node failed. The exit code is the one they share. */
export class AllFailedError extends CodedError<'ERR_ALL_FAILED'> {
  readonly failures: readonly NodeFailure[];

  constructor(failures: readonly NodeFailure[]) {
    super('ERR_ALL_FAILED', `all ${failures.length} nodes failed`);
    this.failures = failures;
  }

  get exitCode(): number {
    const codes = new Set(this.failures.map(({ error }) => exitCodeOf(error)));
    const [first] = codes;
    return codes.size === 1 && first !== undefined ? first : exitCodes.failed;
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'AllFailedError';
  }
}

/** Another computer has run the command, and has said what was wrong. */
export class RemoteExitError extends CodedError<'ERR_REMOTE_EXIT'> {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('ERR_REMOTE_EXIT', `the command ended there with ${exitCode}`);
    this.exitCode = exitCode;
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'RemoteExitError';
  }
}
