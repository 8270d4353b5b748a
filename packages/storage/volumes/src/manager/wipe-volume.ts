import type { Inventory, WipeContentOptions } from '@nodecore/block';

import { VolumeError } from '../errors.ts';
import { inspect } from '../observe/inspect.ts';
import { hasDevice, type VolumeSpec } from '../spec.ts';
import type { VolumeTask } from './task.ts';
import type { Workshop } from '../work.ts';

/** A volume, and those that are mounted on it. */
export type Condemned = { readonly task: VolumeTask; readonly children: readonly VolumeTask[] };

/** @throws {VolumeError} `ERR_VOLUME_KEPT`, `ERR_VOLUME_NOT_READY`. */
export function requireWipeable({ spec, found }: Pick<VolumeTask, 'spec' | 'found'>): void {
  const why = keptBecause(spec);
  if (why !== undefined)
    throw new VolumeError('ERR_VOLUME_KEPT', spec.id, `${spec.id} ${why}`, 'needs-operator');
  if (found !== undefined) return;
  throw new VolumeError('ERR_VOLUME_NOT_READY', spec.id, `${spec.id} has no place yet`, 'needs-operator');
}

function keptBecause(spec: VolumeSpec): string | undefined {
  if (spec.id === 'STATE') return 'holds the configuration by which the agent works';
  if (!hasDevice(spec)) return 'has no device of its own: remove its files';
  return spec.kind === 'existing' ? 'was made by somebody else: wipe it as a disk or partition' : undefined;
}

/**
 * Closes a volume and what lies on it, DESTROYS its content, and gives its partition back. What it was given is forgotten
 * before anything is destroyed: from then on what is left of it counts as blank, after a crash as well.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY`: it is in use; nothing is destroyed then.
 */
export async function wipeVolume(
  { task, children }: Condemned,
  workshop: Workshop & { readonly inventory: Inventory | undefined },
  options: WipeContentOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { spec, found } = task;
  const { effects, intents, inventory, locks, reader } = workshop;
  requireWipeable(task);
  const closings = await Promise.allSettled(children.map((child) => child.close({ forget: false })));
  for (const closing of closings) if (closing.status === 'rejected') throw closing.reason;
  await task.close({ forget: true });
  if (found === undefined || inventory === undefined) return;
  await locks.run(
    [found.disk.devPath],
    async () => {
      // Kernel names change hands, also since the disks were looked at: what is wiped is what the volume had.
      const record = intents.get(spec.id);
      const device = await inspect({ spec, found, inventory, record, isInUse: false }, reader);
      if (device === 'gone')
        throw new VolumeError(
          'ERR_VOLUME_NOT_READY',
          spec.id,
          `${found.devPath} is not there any more`,
          'transient',
        );
      const { disk, devPath, partition } = device.found;
      // The entry goes with all that it stands for: the kernel may have been told less.
      if (partition !== undefined)
        await effects.announce(disk.devPath, partition.partitionGuid, { toRemove: true });
      await effects.wipeContent(devPath, { ...options, sequence: disk.sequence });
      if (partition !== undefined) await effects.removePartition(disk.devPath, partition.partitionGuid);
    },
    options.signal,
  );
}
