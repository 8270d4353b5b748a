import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ClusterErrorCode =
  | 'ERR_CLUSTER_REQUEST' // what was asked for can't be; the message names all of it
  | 'ERR_CLUSTER_PREFLIGHT' // this computer lacks something; the message names all of it
  | 'ERR_CLUSTER_EXISTS' // there is one of this name, perhaps half made
  | 'ERR_CLUSTER_NOT_FOUND' // there is none of this name; the message names those that are there
  | 'ERR_CLUSTER_STATE' // the plan or the state of a cluster can't be read
  | 'ERR_CLUSTER_KEEPER' // its background process did not start, or went away
  | 'ERR_CLUSTER_IMAGE' // the image to boot can't be had, or does not fit
  | 'ERR_CLUSTER_MACHINE' // a machine ended while it was waited for; the message has its last lines
  | 'ERR_CLUSTER_TIMEOUT' // what was waited for did not happen in time; the cluster runs on
  | 'ERR_CLUSTER_REMOTE' // the computer with the clusters can't be reached, or has too many callers
  | 'ERR_CLUSTER_REMOTE_DENIED' // it is another one than was meant, or does not know the token
  | 'ERR_CLUSTER_LEFT'; // not all of a cluster could be removed; the message names what stays

const kinds: ErrorKinds<ClusterErrorCode> = {
  ERR_CLUSTER_REQUEST: 'invalid',
  ERR_CLUSTER_PREFLIGHT: 'unsupported',
  ERR_CLUSTER_EXISTS: 'exists',
  ERR_CLUSTER_NOT_FOUND: 'not-found',
  ERR_CLUSTER_STATE: 'damaged',
  ERR_CLUSTER_KEEPER: 'internal',
  ERR_CLUSTER_IMAGE: 'refused',
  ERR_CLUSTER_MACHINE: 'internal',
  ERR_CLUSTER_TIMEOUT: 'timeout',
  ERR_CLUSTER_REMOTE: 'unavailable',
  ERR_CLUSTER_REMOTE_DENIED: 'denied',
  ERR_CLUSTER_LEFT: 'internal',
};

/** Something about a local cluster went wrong. */
export class ClusterError extends CodedError<ClusterErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ClusterError';
  }
}
