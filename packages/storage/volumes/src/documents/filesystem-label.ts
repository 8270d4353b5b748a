import { createHash } from 'node:crypto';

import type { FilesystemType } from '../spec.ts';

/** Bytes that the superblock has for a label: xfs(5), ext4(5), mkfs.btrfs(8), and mkswap(8), which ends it with a zero. */
const limits: Readonly<Record<FilesystemType, number>> = { xfs: 12, ext4: 16, btrfs: 255, swap: 15 };

/**
 * The label by which a filesystem is recognised as a volume's own. An id that does not fit is cut and ended with a
 * digest, so that two long names never share a label.
 */
export function filesystemLabel(volumeId: string, type: FilesystemType): string {
  const limit = limits[type];
  if (volumeId.length <= limit) return volumeId;
  const digest = createHash('sha256').update(volumeId).digest('hex').slice(0, 6);
  return `${volumeId.slice(0, limit - digest.length - 1)}-${digest}`;
}
