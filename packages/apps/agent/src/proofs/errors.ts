import { CodedError } from '@nodecore/sys';

export type ProofErrorCode =
  | 'ERR_PROOF_NOT_FOUND' // the node has no disk or partition of this name
  | 'ERR_PROOF_REQUEST' // a field of the request holds what it can't
  | 'ERR_PROOF_BUSY'; // the disks, or what uses them, are not known yet

/** Why the node does not say whether a disk is empty. */
export class ProofError extends CodedError<ProofErrorCode> {
  static {
    this.prototype.name = 'ProofError';
  }
}
