import { type Inventory, watch } from '@nodecore/block';
import type { Access, Controller } from '@nodecore/runtime';
import type { Json } from '@nodecore/state';
import { findSystemDisk } from '@nodecore/volumes';
import type { Latest } from '@nodecore/waiting';

import { blockDevices, discoveredVolumes, discoveryStatuses, disks, systemDisks } from './definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import { blockDeviceSpec, discoveredVolumeSpec, discoveryStatusSpec, diskSpec } from './disk-spec.ts';
import type { Log } from '../log.ts';
import { withoutRootLayers } from './without-root.ts';

/** What belongs together is published together: one item. */
const item = 'devices';

export type DiscoveryParts = {
  readonly log: Log;
  /** Where the other features read what was found. */
  readonly inventory: Latest<Inventory>;
  /** Whether this machine has a disk of its own; on a host that is not ours there is none. */
  readonly systemDisk: boolean;
};

/** How far discovery has come. */
type Progress = { readonly ready: boolean; readonly error?: string };

/**
 * Follows the disks of the machine, and publishes them and what is on them. When the kernel's announcements break off,
 * what was published stays, and the status says that it may be old.
 */
export function discoveryController({ log, inventory, systemDisk }: DiscoveryParts): Controller {
  let progress: Progress = { ready: false };
  return {
    name: 'discovery',
    inputs: [],
    outputs: [blockDevices, discoveredVolumes, discoveryStatuses, disks, systemDisks].map((definition) => ({
      ...kindOf(definition),
      mode: 'exclusive',
    })),
    outside: async (wake, signal) => {
      const watching = watch({ signal });
      try {
        for await (const found of watching) {
          const inside = withoutRootLayers(found);
          if (!progress.ready && watching.settled) {
            const counts = { disks: inside.disks.length, volumes: inside.volumes.length };
            log.info(counts, 'discovery is ready');
          }
          progress = { ready: watching.settled };
          inventory.set(inside);
          wake(item);
        }
      } catch (error) {
        progress = { ready: false, error: error instanceof Error ? error.message : String(error) };
        if (!signal.aborted) wake(item);
        throw error;
      }
    },
    reconcile: async (_, access) => {
      const found = inventory.value ?? { disks: [], volumes: [] };
      const now = progress;
      if (inventory.value !== undefined) await publishInventory(access, found, { systemDisk });
      await publishStatus(access, found, now);
    },
  };
}

/** Makes the resources say what the inventory says. */
export async function publishInventory(
  access: Access,
  inventory: Inventory,
  { systemDisk }: Pick<DiscoveryParts, 'systemDisk'>,
): Promise<void> {
  const byId = new Map(inventory.disks.map((disk) => [disk.id, disk]));
  await access.replace(kindOf(disks), new Map(inventory.disks.map((disk) => [disk.id, diskSpec(disk)])));
  const volumes = new Map(inventory.volumes.map((volume) => [volume.id, discoveredVolumeSpec(volume)]));
  await access.replace(kindOf(discoveredVolumes), volumes);
  const devices = new Map(
    inventory.volumes.map((volume) => [volume.id, blockDeviceSpec(volume, byId.get(volume.id))]),
  );
  await access.replace(kindOf(blockDevices), devices);
  const id = systemDisk ? findSystemDisk(inventory) : undefined;
  const found = id === undefined ? undefined : byId.get(id);
  const specs = new Map<string, Json>();
  if (found !== undefined) specs.set('system-disk', { diskID: found.id, devPath: found.devPath });
  await access.replace(kindOf(systemDisks), specs);
}

/** Says how far discovery has come. */
export async function publishStatus(access: Access, inventory: Inventory, progress: Progress): Promise<void> {
  const spec = discoveryStatusSpec(inventory, progress);
  await access.modify({ ...kindOf(discoveryStatuses), id: 'discovery' }, () => spec);
}
