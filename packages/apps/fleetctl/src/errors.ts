import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

export type FleetctlErrorCode =
  | 'ERR_FLEETCONFIG_NOT_FOUND' // the named file does not exist
  | 'ERR_FLEETCONFIG_INVALID' // the file is not a client config
  | 'ERR_FLEETCONFIG_CONTEXT'; // no such context, or none is current

const kinds: ErrorKinds<FleetctlErrorCode> = {
  ERR_FLEETCONFIG_NOT_FOUND: 'refused',
  ERR_FLEETCONFIG_INVALID: 'invalid',
  ERR_FLEETCONFIG_CONTEXT: 'refused',
};

/** A client config that can't be used. */
export class FleetctlError extends CodedError<FleetctlErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'FleetctlError';
  }
}
