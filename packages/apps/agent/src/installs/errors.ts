import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type InstallErrorCode =
  | 'ERR_INSTALL_REQUEST' // a field of the request holds what it can't
  | 'ERR_INSTALL_INSTALLED' // the machine has a system disk
  | 'ERR_INSTALL_HOST' // the machine does not run the node OS, or its disks are not known yet
  | 'ERR_INSTALL_DISK' // no disk, or none that a system can be on
  | 'ERR_INSTALL_AMBIGUOUS' // several disks match
  | 'ERR_INSTALL_NOT_EMPTY' // something is on the disk, and nobody has consented to its loss
  | 'ERR_INSTALL_SPACE' // the disk is too small
  | 'ERR_INSTALL_SOURCE' // nothing says which image is to be installed
  | 'ERR_INSTALL_WRITE'; // the disk does not have what was written

const kinds: ErrorKinds<InstallErrorCode> = {
  ERR_INSTALL_REQUEST: 'invalid',
  ERR_INSTALL_INSTALLED: 'exists',
  ERR_INSTALL_HOST: 'refused',
  ERR_INSTALL_DISK: 'refused',
  ERR_INSTALL_AMBIGUOUS: 'refused',
  ERR_INSTALL_NOT_EMPTY: 'refused',
  ERR_INSTALL_SPACE: 'exhausted',
  ERR_INSTALL_SOURCE: 'refused',
  ERR_INSTALL_WRITE: 'damaged',
};

/** Why the machine was not installed. */
export class InstallError extends CodedError<InstallErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'InstallError';
  }
}
