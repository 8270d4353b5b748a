import type { DeviceFile } from './device-file.ts';
import { BlockError } from '../errors.ts';

/** Which disk is meant, whatever has its name by now: who changes a disk may have waited for his turn on it. */
export type MeantDisk = {
  /** As `Disk.sequence` says; not asked when it is not given. */
  readonly sequence?: bigint | undefined;
};

/**
 * While the device is open nobody else gets its number.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_FOUND`: another disk has the name.
 */
export function requireSequence({ kernel, path, sysfs }: DeviceFile, { sequence }: MeantDisk): void {
  if (sequence === undefined || kernel === undefined) return;
  if (sysfs.uevent(`block/${kernel.diskId}`).get('DISKSEQ') === String(sequence)) return;
  const message = `${path}: the disk that was meant is gone, and another one has its name`;
  throw new BlockError('ERR_BLOCK_NOT_FOUND', path, message);
}
