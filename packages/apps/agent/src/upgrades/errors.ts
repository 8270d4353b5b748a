import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type UpgradeErrorCode =
  | 'ERR_UPGRADE_NOT_INSTALLED' // there is no system disk with a boot partition that this system was started from
  | 'ERR_UPGRADE_REQUEST' // a field of the request holds what it can't
  | 'ERR_UPGRADE_IMAGE' // the image is no installer image
  | 'ERR_UPGRADE_SIGNATURE' // nobody whom this node trusts has signed it
  | 'ERR_UPGRADE_VERSION' // this node can't go to that release from the one that runs
  | 'ERR_UPGRADE_SPACE' // there is no room for what is pulled
  | 'ERR_UPGRADE_FIRMWARE' // the firmware insists on another entry than the menu's first
  | 'ERR_UPGRADE_NO_OTHER'; // there is no other entry to go back to

const kinds: ErrorKinds<UpgradeErrorCode> = {
  ERR_UPGRADE_NOT_INSTALLED: 'refused',
  ERR_UPGRADE_REQUEST: 'invalid',
  ERR_UPGRADE_IMAGE: 'damaged',
  ERR_UPGRADE_SIGNATURE: 'refused',
  ERR_UPGRADE_VERSION: 'refused',
  ERR_UPGRADE_SPACE: 'exhausted',
  ERR_UPGRADE_FIRMWARE: 'refused',
  ERR_UPGRADE_NO_OTHER: 'refused',
};

/** Why the node keeps the release that it has. */
export class UpgradeError extends CodedError<UpgradeErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'UpgradeError';
  }
}
