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

/** Some keys were not rotated; what became of each was printed. */
export class RotationError extends CodedError<'ERR_ROTATION'> {
  constructor(failed: number, total: number) {
    super(
      'ERR_ROTATION',
      `${failed} of ${total} keys were not rotated; their old keys still open the volumes`,
    );
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'RotationError';
  }
}

/** Some volumes were not trimmed; what became of each was printed. */
export class TrimsError extends CodedError<'ERR_TRIMS'> {
  constructor(missed: number, total: number) {
    super('ERR_TRIMS', `${missed} of ${total} volumes were not trimmed`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'TrimsError';
  }
}

/** Something that was asked about is not allowed; what, and which role would do, was printed. */
export class NotAllowedError extends CodedError<'ERR_NOT_ALLOWED'> {
  constructor(denied: number, total: number) {
    super(
      'ERR_NOT_ALLOWED',
      `${denied} of ${total} ${total === 1 ? 'method is' : 'methods are'} not allowed`,
    );
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'NotAllowedError';
  }
}

/** A device that could not be wiped; those named after it are untouched. */
export class WipeFailedError extends CodedError<'ERR_WIPE'> {
  constructor(node: string, device: string, message: string, code: string) {
    super('ERR_WIPE', `${node}: ${device} was not wiped: ${message} (${code})`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'WipeFailedError';
  }
}

/** A node that was not reset, or not as a whole; the message says what comes next. */
export class ResetFailedError extends CodedError<'ERR_RESET'> {
  constructor(node: string, message: string, code: string) {
    super('ERR_RESET', `${node} was not reset: ${message} (${code})`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'ResetFailedError';
  }
}

/** A node that keeps the release that it has. */
export class UpgradeFailedError extends CodedError<'ERR_UPGRADE'> {
  constructor(node: string, message: string, exitCode: number) {
    super('ERR_UPGRADE', `${node} was not upgraded: ${message} (exit code ${exitCode})`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'UpgradeFailedError';
  }
}

/** A node that installed nothing, and said why. */
export class InstallFailedError extends CodedError<'ERR_INSTALL'> {
  constructor(node: string, message: string, exitCode: number) {
    super('ERR_INSTALL', `${node} was not installed: ${message} (exit code ${exitCode})`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'InstallFailedError';
  }
}

/** A node that came back as something else than it was to. */
export class FellBackError extends CodedError<'ERR_FELL_BACK'> {
  constructor(node: string, message: string) {
    super('ERR_FELL_BACK', `${node}: ${message}`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'FellBackError';
  }
}

/** A node that was reset, and was waited for in vain. */
export class NotBackError extends CodedError<'ERR_NOT_BACK'> {
  constructor(node: string, waitedMs: number) {
    super(
      'ERR_NOT_BACK',
      `${node} does not answer anew after ${Math.round(waitedMs / 1000)} s: look at its console`,
    );
  }

  override get kind(): ErrorKind {
    return 'timeout';
  }

  static {
    this.prototype.name = 'NotBackError';
  }
}

/** Not everything was well at the only look; what was not was printed. */
export class UnhealthyError extends CodedError<'ERR_UNHEALTHY'> {
  constructor(failed: number, total: number) {
    super('ERR_UNHEALTHY', `${failed} of ${total} checks failed`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'UnhealthyError';
  }
}

/** Resources of a node that were not as wanted in time. */
export class WaitTimeoutError extends CodedError<'ERR_WAIT_TIMEOUT'> {
  constructor(
    node: string,
    condition: string,
    { ids, waitedMs }: { readonly ids: readonly string[]; readonly waitedMs: number },
  ) {
    const what = ids.length === 0 ? 'there is none' : `not so: ${ids.join(', ')}`;
    super('ERR_WAIT_TIMEOUT', `${node}: no ${condition} after ${Math.round(waitedMs / 1000)} s: ${what}`);
  }

  override get kind(): ErrorKind {
    return 'timeout';
  }

  static {
    this.prototype.name = 'WaitTimeoutError';
  }
}

/** Not everything became well in time; what was not was printed. */
export class UnhealthyTimeoutError extends CodedError<'ERR_UNHEALTHY_TIMEOUT'> {
  constructor(failed: number, total: number, waitedMs: number) {
    super(
      'ERR_UNHEALTHY_TIMEOUT',
      `${failed} of ${total} checks fail after ${Math.round(waitedMs / 1000)} s`,
    );
  }

  override get kind(): ErrorKind {
    return 'timeout';
  }

  static {
    this.prototype.name = 'UnhealthyTimeoutError';
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

/** A file that can't be written, or not any further. */
export class OutputError extends CodedError<'ERR_OUTPUT'> {
  constructor(path: string, errno: string) {
    super('ERR_OUTPUT', `${path}: ${errno}; what was written before is whole`);
  }

  override get kind(): ErrorKind {
    return 'internal';
  }

  static {
    this.prototype.name = 'OutputError';
  }
}

/** Two configurations are not the same, and the exit code was to say so; what is different was printed. */
export class DifferentError extends CodedError<'ERR_DIFFERENT'> {
  constructor(count: number) {
    super('ERR_DIFFERENT', count === 1 ? 'there is 1 difference' : `there are ${count} differences`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'DifferentError';
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

/** A node that has a container runtime, of which this client knows only how to bring images there. */
export class NoDebugError extends CodedError<'ERR_DEBUG'> {
  constructor(node: string) {
    super('ERR_DEBUG', `${node}: the image is there; running it needs an osctl of the node's version`);
  }

  override get kind(): ErrorKind {
    return 'unsupported';
  }

  static {
    this.prototype.name = 'NoDebugError';
  }
}
