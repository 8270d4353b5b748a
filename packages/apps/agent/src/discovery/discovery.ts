import { type Inventory, watch } from '@nodecore/block';
import type { Json, Store } from '@nodecore/state';
import { findSystemDisk } from '@nodecore/volumes';
import type { Latest } from '@nodecore/waiting';

import { blockDevices, discoveredVolumes, discoveryStatuses, disks, systemDisks } from './definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import { blockDeviceSpec, discoveredVolumeSpec, discoveryStatusSpec, diskSpec } from './disk-spec.ts';
import type { Log } from '../log.ts';
import { withoutRootLayers } from './without-root.ts';

const owner = 'discovery';

export type DiscoveryParts = {
  readonly store: Store;
  /** Where the other features read what was found. */
  readonly inventory: Latest<Inventory>;
  /** Whether this machine has a disk of its own; on a host that is not ours there is none. */
  readonly systemDisk: boolean;
};

/**
 * Follows the disks of the machine, and publishes them and what is on them. When the kernel's announcements break off,
 * what was published stays, and the status says that it may be old.
 */
export async function discover(
  parts: DiscoveryParts & { readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  const watching = watch({ signal });
  let ready = false;
  try {
    for await (const found of watching) {
      const inventory = withoutRootLayers(found);
      publishInventory(parts, inventory);
      publishStatus(parts, inventory, { ready: watching.settled });
      parts.inventory.set(inventory);
      if (!ready && watching.settled) {
        const counts = { disks: inventory.disks.length, volumes: inventory.volumes.length };
        parts.log.info(counts, 'discovery is ready');
      }
      ready = watching.settled;
    }
  } catch (error) {
    if (!signal.aborted) publishFailure(parts, error);
    throw error;
  }
}

/** Makes the resources say what the inventory says. */
export function publishInventory({ store, systemDisk }: DiscoveryParts, inventory: Inventory): void {
  const byId = new Map(inventory.disks.map((disk) => [disk.id, disk]));
  store.replace(kindOf(disks), new Map(inventory.disks.map((disk) => [disk.id, diskSpec(disk)])), owner);
  const volumes = new Map(inventory.volumes.map((volume) => [volume.id, discoveredVolumeSpec(volume)]));
  store.replace(kindOf(discoveredVolumes), volumes, owner);
  const devices = new Map(
    inventory.volumes.map((volume) => [volume.id, blockDeviceSpec(volume, byId.get(volume.id))]),
  );
  store.replace(kindOf(blockDevices), devices, owner);
  const id = systemDisk ? findSystemDisk(inventory) : undefined;
  const found = id === undefined ? undefined : byId.get(id);
  const specs = new Map<string, Json>();
  if (found !== undefined) specs.set('system-disk', { diskID: found.id, devPath: found.devPath });
  store.replace(kindOf(systemDisks), specs, owner);
}

/** Says how far discovery has come. */
export function publishStatus(
  { store }: DiscoveryParts,
  inventory: Inventory,
  progress: { readonly ready: boolean; readonly error?: string },
): void {
  const specs = new Map([['discovery', discoveryStatusSpec(inventory, progress)]]);
  store.replace(kindOf(discoveryStatuses), specs, owner);
}

function publishFailure(parts: DiscoveryParts, cause: unknown): void {
  const inventory = parts.inventory.value ?? { disks: [], volumes: [] };
  const error = cause instanceof Error ? cause.message : String(cause);
  publishStatus(parts, inventory, { ready: false, error });
}
