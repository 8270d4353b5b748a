import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

export type FleetctlErrorCode =
  | 'ERR_FLEETCONFIG_NOT_FOUND' // the named file does not exist
  | 'ERR_FLEETCONFIG_INVALID' // the file is not a client config
  | 'ERR_FLEETCONFIG_CONTEXT' // no such context, or none is current
  | 'ERR_FLEETCTL_NO_MACHINE' // no machine is what was named
  | 'ERR_FLEETCTL_REPORT' // a report is not what it must be
  | 'ERR_FLEETCTL_VULNERABLE'; // there is what was not to be

const kinds: ErrorKinds<FleetctlErrorCode> = {
  ERR_FLEETCONFIG_NOT_FOUND: 'refused',
  ERR_FLEETCONFIG_INVALID: 'invalid',
  ERR_FLEETCONFIG_CONTEXT: 'refused',
  ERR_FLEETCTL_NO_MACHINE: 'not-found',
  ERR_FLEETCTL_REPORT: 'damaged',
  ERR_FLEETCTL_VULNERABLE: 'refused',
};

/** A client config that can't be used, or what a command was not to find. */
export class FleetctlError extends CodedError<FleetctlErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'FleetctlError';
  }
}
