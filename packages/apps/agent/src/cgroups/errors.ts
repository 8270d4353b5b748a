import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type CgroupsErrorCode =
  | 'ERR_CGROUPS_BUSY' // as many watches run as the node has descriptors for
  | 'ERR_CGROUPS_REQUEST'; // a field of the request holds what it can't

const kinds: ErrorKinds<CgroupsErrorCode> = {
  ERR_CGROUPS_BUSY: 'exhausted',
  ERR_CGROUPS_REQUEST: 'invalid',
};

/** Why the node does not read its cgroups for a caller. */
export class CgroupsError extends CodedError<CgroupsErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'CgroupsError';
  }
}
