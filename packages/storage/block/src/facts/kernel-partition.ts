import { nodePath } from './disk-facts.ts';
import type { Sysfs } from './sysfs.ts';

/** A partition as the kernel has it, which may differ from the table on the disk until that is read again. */
export type KernelPartition = {
  readonly id: string;
  readonly devPath: string;
  /** Its directory in sysfs. */
  readonly devicePath: string;
  /** `major:minor`. */
  readonly number: string;
  readonly index: number;
  readonly offset: bigint;
  readonly size: bigint;
  readonly holders: readonly string[];
};

/** The kernel's partitions of a disk, in the order of their numbers. */
export function kernelPartitions(sysfs: Sysfs, disk: string): KernelPartition[] {
  const directory = sysfs.follow(`block/${disk}`) ?? `block/${disk}`;
  return sysfs
    .entries(directory)
    .filter((name) => name.startsWith(disk))
    .flatMap((id) => readPartition(sysfs, `${directory}/${id}`, id) ?? [])
    .sort((one, other) => one.index - other.index);
}

function readPartition(sysfs: Sysfs, directory: string, id: string): KernelPartition | undefined {
  const index = sysfs.number(directory, 'partition');
  if (index === undefined) return undefined;
  const number = (name: string): bigint => sysfs.number(directory, name) ?? 0n;
  const values = sysfs.uevent(directory);
  return {
    id,
    devPath: nodePath(values, id),
    devicePath: `/sys/${directory}`,
    number: `${values.get('MAJOR') ?? ''}:${values.get('MINOR') ?? ''}`,
    index: Number(index),
    // Both count sectors of 512 bytes, whatever the disk's own sector size.
    offset: number('start') * 512n,
    size: number('size') * 512n,
    holders: sysfs.entries(directory, 'holders'),
  };
}
