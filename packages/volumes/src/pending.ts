import type { Disk } from '@nodecore/block';

import type { Pending } from './facts.ts';
import { fitnessOf } from './fitness.ts';
import { bySpace } from './order.ts';
import type { VolumeSpec } from './spec.ts';
import type { VolumeTask } from './task.ts';
import type { WantedSpace } from './wanted-space.ts';

type Taker = Pick<VolumeTask, 'spec' | 'found' | 'wantsSpace'>;

/** Volumes that come before this one where they share a disk, and have not had their turn. */
export function pendingBefore(
  spec: VolumeSpec,
  tasks: readonly Taker[],
  { disks, systemDisk }: { readonly disks: readonly Disk[]; readonly systemDisk: string | undefined },
): readonly Pending[] {
  return tasks
    .filter((task) => bySpace(task.spec, spec) < 0)
    .map((task) => ({ task, wanted: wantedSpace(task, spec) }))
    .filter(({ wanted }) => wanted !== undefined)
    .map(({ task, wanted }) => ({
      id: task.spec.id,
      disks: disks
        .filter(({ id }) => wanted === 'anywhere' || wanted?.includes(id) === true)
        .filter((disk) => fitnessOf(task.spec, disk, systemDisk).mismatch === undefined)
        .map(({ id }) => id),
    }));
}

/** Where an earlier volume may still take space before `spec` does. */
function wantedSpace(task: Taker, spec: VolumeSpec): WantedSpace | undefined {
  return spec.after.includes(task.spec.id) && task.found === undefined ? 'anywhere' : task.wantsSpace;
}
