import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ServerErrorCode =
  | 'ERR_SERVER_UNAUTHENTICATED' // the certificate is not one for clients
  | 'ERR_SERVER_DENIED' // the caller's roles do not allow the method
  | 'ERR_SERVER_CONFIGURED' // a connection of maintenance, and maintenance is over
  | 'ERR_SERVER_BUSY' // too many calls at once
  | 'ERR_SERVER_TIMEOUT' // the request never came
  | 'ERR_SERVER_EXPIRED' // a stream has lasted as long as one may
  | 'ERR_SERVER_STOPPING' // the agent ends
  | 'ERR_SERVER_NO_CONTROL_PLANE' // only a control plane does that
  | 'ERR_SERVER_NODE' // the node that a call is for can't be reached from here
  | 'ERR_SERVER_NODE_UNTRUSTED' // what answers there is not that node, or does not let this one in
  | 'ERR_SERVER_REQUEST'; // a field holds what it can't, or the bytes are no request

const kinds: ErrorKinds<ServerErrorCode> = {
  ERR_SERVER_UNAUTHENTICATED: 'denied',
  ERR_SERVER_DENIED: 'denied',
  ERR_SERVER_CONFIGURED: 'unavailable',
  ERR_SERVER_BUSY: 'exhausted',
  ERR_SERVER_TIMEOUT: 'timeout',
  ERR_SERVER_EXPIRED: 'unavailable',
  ERR_SERVER_STOPPING: 'unavailable',
  ERR_SERVER_NO_CONTROL_PLANE: 'refused',
  ERR_SERVER_NODE: 'unavailable',
  ERR_SERVER_NODE_UNTRUSTED: 'refused',
  ERR_SERVER_REQUEST: 'invalid',
};

/** Why the server does not take a call. */
export class ServerError extends CodedError<ServerErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ServerError';
  }
}
