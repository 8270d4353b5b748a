import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type OsconfigErrorCode =
  | 'ERR_OSCONFIG_NOT_FOUND' // the named file does not exist
  | 'ERR_OSCONFIG_READ' // the file can't be read; the message has the system's word
  | 'ERR_OSCONFIG_WRITE' // it can't be written; what was there is as it was
  | 'ERR_OSCONFIG_CHANGED' // another program has written it since it was read; what that wrote is there
  | 'ERR_OSCONFIG_INVALID' // the file is not a client config
  | 'ERR_OSCONFIG_CONTEXT' // no such context, or none is current
  | 'ERR_OSCONFIG_ENDPOINTS' // the context has no endpoints and none were given
  | 'ERR_OSCONFIG_READ_ONLY' // the file belongs to a service account
  | 'ERR_OSCONFIG_HOME'; // no directory for client configs can be determined

const kinds: ErrorKinds<OsconfigErrorCode> = {
  ERR_OSCONFIG_NOT_FOUND: 'not-found',
  ERR_OSCONFIG_READ: 'refused',
  ERR_OSCONFIG_WRITE: 'refused',
  ERR_OSCONFIG_CHANGED: 'busy',
  ERR_OSCONFIG_INVALID: 'invalid',
  ERR_OSCONFIG_CONTEXT: 'not-found',
  ERR_OSCONFIG_ENDPOINTS: 'refused',
  ERR_OSCONFIG_READ_ONLY: 'refused',
  ERR_OSCONFIG_HOME: 'refused',
};

/** A client config that can't be used. The message ends with what to do next. */
export class OsconfigError extends CodedError<OsconfigErrorCode> {
  /** The file; empty when no file is concerned. */
  readonly path: string;

  constructor(code: OsconfigErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.path = path;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'OsconfigError';
  }
}
