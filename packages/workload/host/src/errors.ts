import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type HostErrorCode =
  | 'ERR_HOST_NAME' // a name that can't be: of a key, a module, a file
  | 'ERR_HOST_NOT_FOUND' // this kernel has no such thing
  | 'ERR_HOST_DENIED' // privileges are missing, or a container may not
  | 'ERR_HOST_VALUE' // the kernel refuses the value
  | 'ERR_HOST_OCCUPIED' // something of others stands where ours would be
  | 'ERR_HOST_TIME' // who was asked for the time does not say it
  | 'ERR_HOST_FAILED'; // anything else; see the cause

const kinds: ErrorKinds<HostErrorCode> = {
  ERR_HOST_NAME: 'invalid',
  ERR_HOST_NOT_FOUND: 'not-found',
  ERR_HOST_DENIED: 'denied',
  ERR_HOST_VALUE: 'invalid',
  ERR_HOST_OCCUPIED: 'refused',
  ERR_HOST_TIME: 'refused',
  ERR_HOST_FAILED: 'internal',
};

/** Something of this host could not be made as it is wanted. */
export class HostError extends CodedError<HostErrorCode> {
  /** Of the key, the module or the file. */
  readonly subject: string;

  constructor(
    code: HostErrorCode,
    subject: string,
    message: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(code, `${subject}: ${message}`, options);
    this.subject = subject;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'HostError';
  }
}
