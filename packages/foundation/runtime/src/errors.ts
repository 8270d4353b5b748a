import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type RuntimeErrorCode =
  | 'ERR_RUNTIME_NAME_TAKEN' // another controller has this name
  | 'ERR_RUNTIME_DECLARATION' // inputs or outputs that contradict each other
  | 'ERR_RUNTIME_OUTPUT_TAKEN' // another controller writes this kind, and one of them wants it alone
  | 'ERR_RUNTIME_STARTED' // controllers are registered before the start, which comes once
  | 'ERR_RUNTIME_UNDECLARED' // a read or write outside the declared inputs and outputs
  | 'ERR_RUNTIME_ENDED'; // the access was used after its reconciliation ended

const kinds: ErrorKinds<RuntimeErrorCode> = {
  ERR_RUNTIME_NAME_TAKEN: 'exists',
  ERR_RUNTIME_DECLARATION: 'internal',
  ERR_RUNTIME_OUTPUT_TAKEN: 'exists',
  ERR_RUNTIME_STARTED: 'internal',
  ERR_RUNTIME_UNDECLARED: 'internal',
  ERR_RUNTIME_ENDED: 'internal',
};

/** A mistake in a controller: what it declares, or what it does beside its declaration. */
export class RuntimeError extends CodedError<RuntimeErrorCode> {
  /** Name of the controller. */
  readonly controller: string;

  constructor(code: RuntimeErrorCode, controller: string, message: string) {
    super(code, `controller ${controller}: ${message}`);
    this.controller = controller;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'RuntimeError';
  }
}
