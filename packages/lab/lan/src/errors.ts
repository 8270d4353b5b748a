import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type LanErrorCode =
  | 'ERR_LAN_SPEC' // the network's value can't be built
  | 'ERR_LAN_PREFLIGHT' // this computer lacks something; the message names all of it
  | 'ERR_LAN_COMMAND' // a program that sets the network up failed; the message has its words
  | 'ERR_LAN_INSIDE'; // the namespace is gone, a port in it is taken, or a process in it does not end

const kinds: ErrorKinds<LanErrorCode> = {
  ERR_LAN_SPEC: 'invalid',
  ERR_LAN_PREFLIGHT: 'unsupported',
  ERR_LAN_COMMAND: 'internal',
  ERR_LAN_INSIDE: 'internal',
};

/** Something about a cluster's network went wrong. */
export class LanError extends CodedError<LanErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'LanError';
  }
}
