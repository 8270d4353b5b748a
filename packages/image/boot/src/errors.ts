import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

export type BootErrorCode =
  | 'ERR_BOOT_NAME' // no name of an entry, or a version that can't be in one
  | 'ERR_BOOT_SPACE' // the boot partition has no room; the message says how much is missing
  | 'ERR_BOOT_DOWNGRADE' // the menu would go on starting the higher version
  | 'ERR_BOOT_EXISTS' // an entry of this name is there
  | 'ERR_BOOT_NOT_FOUND' // no such entry
  | 'ERR_BOOT_NEEDED' // the entry runs, or is the newest one that is known to be good
  | 'ERR_BOOT_MISMATCH' // what was written, or read back, is not what was meant
  | 'ERR_BOOT_RECORD' // the boot record in META is not one
  | 'ERR_BOOT_KERNEL' // GRUB can't start the image, or would change its command line
  | 'ERR_BOOT_GRUB' // a program of GRUB is another one, or belongs somewhere else
  | 'ERR_BOOT_ENVIRONMENT' // GRUB's environment block is none, or has no room
  | 'ERR_BOOT_SYNC'; // the kernel could not bring all to the disk

const kinds: ErrorKinds<BootErrorCode> = {
  ERR_BOOT_NAME: 'invalid',
  ERR_BOOT_SPACE: 'exhausted',
  ERR_BOOT_DOWNGRADE: 'refused',
  ERR_BOOT_EXISTS: 'exists',
  ERR_BOOT_NOT_FOUND: 'not-found',
  ERR_BOOT_NEEDED: 'refused',
  ERR_BOOT_MISMATCH: 'damaged',
  ERR_BOOT_RECORD: 'damaged',
  ERR_BOOT_KERNEL: 'invalid',
  ERR_BOOT_GRUB: 'invalid',
  ERR_BOOT_ENVIRONMENT: 'damaged',
  ERR_BOOT_SYNC: 'internal',
};

/** Why the boot partition was not changed. */
export class BootError extends CodedError<BootErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'BootError';
  }
}
