import { type Place } from './place.ts';
import { readBytes } from './size-field.ts';
import { type Filesystem } from './types.ts';

/** Reads a `filesystem` block, xfs by default; options of xfs beside another type are reported as `filesystem.xfs_only`. */
export function readFilesystem(filesystem: Place | undefined): Filesystem {
  const type = filesystem?.get('type')?.text() ?? 'xfs';
  const quota = filesystem?.get('projectQuotaSupport');
  const xfs = filesystem?.get('xfs');
  if (type !== 'xfs') {
    if (quota?.boolean() === true)
      quota.problem('filesystem.xfs_only', 'project quotas need the xfs filesystem');
    xfs?.problem('filesystem.xfs_only', 'this block is only for the xfs filesystem');
  }
  const groupSize = readAllocationGroupSize(xfs);
  return {
    type: type === 'ext4' || type === 'btrfs' ? type : 'xfs',
    projectQuotaSupport: quota?.boolean() ?? false,
    ...(groupSize === undefined ? {} : { xfsMinAllocationGroupSize: groupSize }),
  };
}

/** Bytes of `minAllocationGroupSize` in an `xfs` block; a percentage or a negative size is reported and reads as missing. */
export function readAllocationGroupSize(xfs: Place | undefined): bigint | undefined {
  return readBytes(xfs?.get('minAllocationGroupSize'), 'size.negative');
}
