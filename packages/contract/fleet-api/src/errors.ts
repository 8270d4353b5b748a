import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type FleetApiErrorCode =
  | 'ERR_FLEET_JOIN_URL' // not a URL by which a machine can join
  | 'ERR_FLEET_CERTIFICATE'; // the fleet shows another certificate than the join URL or context names

const kinds: ErrorKinds<FleetApiErrorCode> = {
  ERR_FLEET_JOIN_URL: 'invalid',
  ERR_FLEET_CERTIFICATE: 'refused',
};

/** What programs meet over can't be used. */
export class FleetApiError extends CodedError<FleetApiErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'FleetApiError';
  }
}
