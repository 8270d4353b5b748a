import { CodedError } from '@nodecore/sys';

export type CgroupsErrorCode =
  | 'ERR_CGROUPS_BUSY' // as many watches run as the node has descriptors for
  | 'ERR_CGROUPS_REQUEST'; // a field of the request holds what it can't

/** Why the node does not read its cgroups for a caller. */
export class CgroupsError extends CodedError<CgroupsErrorCode> {
  static {
    this.prototype.name = 'CgroupsError';
  }
}
