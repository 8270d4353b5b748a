import type { Disk } from '@nodecore/block';

import type { Candidate } from './facts.ts';
import { asked } from './selector-answer.ts';
import type { VolumeSpec } from './spec.ts';

export type Fitness = Pick<Candidate, 'mismatch' | 'noted'>;

/** Whether a disk may hold a volume as far as can be told without touching it, and if not, why. */
export function fitnessOf(spec: VolumeSpec, disk: Disk, systemDisk: string | undefined): Fitness {
  const { disks } = spec;
  if (disks === undefined) return { mismatch: 'no selector' };
  const isSystemDisk = disk.id === systemDisk;
  if (disks === 'system-disk' && !isSystemDisk) return { mismatch: 'not the system disk' };
  if (disks !== 'system-disk') {
    const { matched, error } = asked(() => disks.matches({ disk, systemDisk: isSystemDisk }));
    if (error !== undefined) return { mismatch: `expression fails: ${error}`, noted: 'selector fails' };
    if (!matched) return { mismatch: 'expression is false' };
  }
  const unfit = unfitBecause(disk);
  return unfit === undefined ? {} : { mismatch: unfit, noted: 'selector matches' };
}

/** What makes a disk unfit for any volume. */
function unfitBecause(disk: Disk): string | undefined {
  if (disk.cdrom) return 'optical drive';
  if (disk.readonly) return 'read-only';
  // The mapping of another volume is blank for a moment while that volume is being made.
  if (disk.id.startsWith('dm-')) return 'device-mapper device';
  return undefined;
}
