import type { PartitionTable } from '@nodecore/block';
import { ConfigError, resolveSize } from '@nodecore/config';

import type { VolumeSpec } from '../spec.ts';

/** Ends of partitions are aligned to this: less is no room. */
const mebibyte = 1n << 20n;

/**
 * The bytes that a volume's partition may have by now, with the free range directly behind it; undefined when that is no
 * more than it has, or the volume does not grow. The limits are those of its making.
 */
export function growableSizeBytes(
  { partition: rules }: VolumeSpec,
  partitionGuid: string,
  table: PartitionTable,
): bigint | undefined {
  const partition = table.partitions.find((one) => one.partitionGuid === partitionGuid);
  if (rules?.grow !== true || partition === undefined) return undefined;
  const end = partition.offset + partition.size;
  const behind = table.free.find(({ offset }) => offset >= end && offset < end + mebibyte);
  if (behind === undefined) return undefined;
  const size = limited(behind.offset + behind.size - partition.offset, rules.maxSize);
  const whole = size - (size % mebibyte);
  return whole >= partition.size + mebibyte ? whole : undefined;
}

function limited(available: bigint, maxSize: Parameters<typeof resolveSize>[2]): bigint {
  try {
    return resolveSize(available, undefined, maxSize);
  } catch (error) {
    if (error instanceof ConfigError) return 0n; // the limit leaves nothing: it stays as it is
    throw error;
  }
}
