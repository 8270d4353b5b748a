import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ProofErrorCode =
  | 'ERR_PROOF_NOT_FOUND' // the node has no disk or partition of this name
  | 'ERR_PROOF_REQUEST' // a field of the request holds what it can't
  | 'ERR_PROOF_BUSY'; // the disks, or what uses them, are not known yet

const kinds: ErrorKinds<ProofErrorCode> = {
  ERR_PROOF_NOT_FOUND: 'not-found',
  ERR_PROOF_REQUEST: 'invalid',
  ERR_PROOF_BUSY: 'unavailable',
};

/** Why the node does not say whether a disk is empty. */
export class ProofError extends CodedError<ProofErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ProofError';
  }
}
