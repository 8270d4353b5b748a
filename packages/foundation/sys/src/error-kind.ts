/**
 * What an error means to a program that does not know its code. Everything that every error needs follows from it: the
 * gRPC status, the exit code, whether to try again.
 */
export type ErrorKind =
  | 'not-found' // what was named is not there
  | 'exists' // it is there already and is not replaced
  | 'busy' // somebody else does such work now; try again
  | 'denied' // this caller may not do that
  | 'refused' // the state of things forbids it; trying again changes nothing
  | 'invalid' // the request makes no sense anywhere
  | 'out-of-range' // a place in a history that is gone, or not there yet; begin anew
  | 'unavailable' // who should answer can't be reached, or not yet; try again
  | 'timeout' // no answer in time; it may have been done
  | 'exhausted' // no room, no memory, or a limit is reached
  | 'damaged' // what is stored is not what was written
  | 'unsupported' // this machine, version or program can't do that
  | 'aborted' // it was given up on purpose
  | 'internal'; // a defect, or what nobody has classified

/** The kind of each code of an error class; the compiler finds a code without one. */
export type ErrorKinds<Code extends string> = Readonly<Record<Code, ErrorKind>>;

/** What follows from the kind of an error, for every program. */
export type KindPolicy = {
  /** Name of the gRPC status that a server answers. */
  readonly status:
    | 'ABORTED'
    | 'ALREADY_EXISTS'
    | 'CANCELLED'
    | 'DATA_LOSS'
    | 'DEADLINE_EXCEEDED'
    | 'FAILED_PRECONDITION'
    | 'INTERNAL'
    | 'INVALID_ARGUMENT'
    | 'NOT_FOUND'
    | 'OUT_OF_RANGE'
    | 'PERMISSION_DENIED'
    | 'RESOURCE_EXHAUSTED'
    | 'UNAVAILABLE';
  /** How a command ends, in the words of the exit codes. */
  readonly exit: 'denied' | 'failed' | 'notFound' | 'timedOut' | 'unreachable';
  /** Whether the same can succeed later although nobody does anything; `unknown` where that depends on the work. */
  readonly retry: 'helps' | 'unknown' | 'useless';
  /** How an audit calls the end of what was begun. */
  readonly audit: 'denied' | 'failed';
};

/** The only table of its kind: gRPC statuses, exit codes, retries and audits follow from it. */
export const kindPolicies: Readonly<Record<ErrorKind, KindPolicy>> = {
  'not-found': { status: 'NOT_FOUND', exit: 'notFound', retry: 'unknown', audit: 'failed' },
  exists: { status: 'ALREADY_EXISTS', exit: 'failed', retry: 'unknown', audit: 'failed' },
  busy: { status: 'ABORTED', exit: 'failed', retry: 'helps', audit: 'failed' },
  denied: { status: 'PERMISSION_DENIED', exit: 'denied', retry: 'unknown', audit: 'denied' },
  refused: { status: 'FAILED_PRECONDITION', exit: 'failed', retry: 'useless', audit: 'failed' },
  invalid: { status: 'INVALID_ARGUMENT', exit: 'failed', retry: 'useless', audit: 'failed' },
  'out-of-range': { status: 'OUT_OF_RANGE', exit: 'failed', retry: 'unknown', audit: 'failed' },
  unavailable: { status: 'UNAVAILABLE', exit: 'unreachable', retry: 'helps', audit: 'failed' },
  timeout: { status: 'DEADLINE_EXCEEDED', exit: 'timedOut', retry: 'helps', audit: 'failed' },
  exhausted: { status: 'RESOURCE_EXHAUSTED', exit: 'failed', retry: 'useless', audit: 'failed' },
  damaged: { status: 'DATA_LOSS', exit: 'failed', retry: 'useless', audit: 'failed' },
  // The server has the method; UNIMPLEMENTED would deny that.
  unsupported: { status: 'FAILED_PRECONDITION', exit: 'failed', retry: 'useless', audit: 'failed' },
  aborted: { status: 'CANCELLED', exit: 'failed', retry: 'unknown', audit: 'failed' },
  internal: { status: 'INTERNAL', exit: 'failed', retry: 'unknown', audit: 'failed' },
};
