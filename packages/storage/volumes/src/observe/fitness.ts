import type { Disk, Inventory } from '@nodecore/block';

import type { Candidate } from '../facts/facts.ts';
import { asked } from '../disks/selector-answer.ts';
import type { VolumeSpec } from '../spec.ts';
import { isMultipath, partOf, stackedName, unfitMapping } from '../intents/stacked-disk.ts';

/** What is known of the machine without touching a disk. */
export type Scene = {
  readonly inventory: Inventory | undefined;
  readonly systemDisk: string | undefined;
};

export type Fitness = Pick<Candidate, 'mismatch' | 'noted'>;

/** Whether a disk may hold a volume as far as can be told without touching it, and if not, why. */
export function fitnessOf(spec: VolumeSpec, disk: Disk, { inventory, systemDisk }: Scene): Fitness {
  const { disks } = spec;
  if (disks === undefined) return { mismatch: 'no selector' };
  const isSystemDisk = disk.id === systemDisk;
  if (disks === 'system-disk' && !isSystemDisk) return { mismatch: 'not the system disk' };
  if (disks !== 'system-disk') {
    const { matched, error } = asked(() => disks.matches({ disk, systemDisk: isSystemDisk }));
    if (error !== undefined) return { mismatch: `expression fails: ${error}`, noted: 'selector fails' };
    if (!matched) return { mismatch: 'expression is false' };
  }
  const unfit = unfitBecause(spec, disk, inventory);
  return unfit === undefined ? {} : { mismatch: unfit, noted: 'selector matches' };
}

/** What makes a disk unfit for a volume, whatever the selector says. */
function unfitBecause(spec: VolumeSpec, disk: Disk, inventory: Inventory | undefined): string | undefined {
  if (disk.cdrom) return 'optical drive';
  if (disk.readonly) return 'read-only';
  const unfit = unfitMapping(disk) ?? partOf(disk, inventory);
  if (unfit !== undefined) return unfit;
  if (spec.type === 'partition' && isMultipath(disk))
    return 'the kernel takes no partitions on a multipath device: set volumeType to disk';
  if (spec.type === 'disk' && disk.array !== undefined && stackedName(disk) === '')
    return 'the members of the array do not agree on its UUID, and it would not be found again';
  return undefined;
}
