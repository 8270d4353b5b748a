import type { Disk } from '@nodecore/block';

import type { Pending } from '../facts/facts.ts';
import { fitnessOf, type Scene } from '../observe/fitness.ts';
import { bySpace } from './order.ts';
import type { VolumeSpec } from '../spec.ts';
import type { VolumeTask } from './task.ts';
import type { WantedSpace } from '../plan/wanted-space.ts';

type Taker = Pick<VolumeTask, 'spec' | 'found' | 'wantsSpace'>;

/** Volumes that come before this one where they share a disk, and have not had their turn. */
export function pendingBefore(spec: VolumeSpec, tasks: readonly Taker[], scene: Scene): readonly Pending[] {
  return tasks
    .filter((task) => bySpace(task.spec, spec) < 0)
    .map((task) => ({ task, wanted: wantedSpace(task, spec) }))
    .filter(({ wanted }) => wanted !== undefined)
    .map(({ task, wanted }) => ({
      id: task.spec.id,
      disks: (scene.inventory?.disks ?? [])
        .filter(({ id }) => wanted === 'anywhere' || wanted?.includes(id) === true)
        .filter((disk) => fitnessOf(task.spec, disk, scene).mismatch === undefined)
        .map(({ id }) => id),
    }));
}

/** Volumes that have no place yet and whose documents match a disk. */
export function seekersOf(disk: Disk, tasks: readonly Taker[], scene: Scene): readonly string[] {
  return tasks
    .filter(({ spec, found }) => spec.provision && found === undefined)
    .filter(({ spec }) => fitnessOf(spec, disk, scene).mismatch === undefined)
    .map(({ spec }) => spec.id);
}

/** Where an earlier volume may still take space before `spec` does. */
function wantedSpace(task: Taker, spec: VolumeSpec): WantedSpace | undefined {
  return spec.after.includes(task.spec.id) && task.found === undefined ? 'anywhere' : task.wantsSpace;
}
