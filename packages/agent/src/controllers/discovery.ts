import { type Inventory, watch } from '@nodecore/block';
import { findSystemDisk } from '@nodecore/volumes';

import { discoveredVolumes, disks, kindOf, systemDisks } from '../resources/definitions.ts';
import { discoveredVolumeSpec, diskSpec } from '../resources/disk-spec.ts';
import type { Json } from '../resources/resource.ts';
import type { Store } from '../resources/store.ts';
import type { Latest } from './latest.ts';

const owner = 'discovery';

export type DiscoveryParts = {
  readonly store: Store;
  /** Where everybody else reads what was found. */
  readonly inventory: Latest<Inventory>;
  /** Whether this machine has a disk of its own; on a host that is not ours there is none. */
  readonly systemDisk: boolean;
};

/** Follows the disks of the machine, and publishes them and what is on them. */
export async function discover(parts: DiscoveryParts, signal: AbortSignal): Promise<void> {
  for await (const inventory of watch({ signal })) {
    publishInventory(parts, inventory);
    parts.inventory.set(inventory);
  }
}

/** Makes the resources say what the inventory says. */
export function publishInventory({ store, systemDisk }: DiscoveryParts, inventory: Inventory): void {
  store.replace(kindOf(disks), new Map(inventory.disks.map((disk) => [disk.id, diskSpec(disk)])), owner);
  const volumes = new Map(inventory.volumes.map((volume) => [volume.id, discoveredVolumeSpec(volume)]));
  store.replace(kindOf(discoveredVolumes), volumes, owner);
  const id = systemDisk ? findSystemDisk(inventory) : undefined;
  const found = inventory.disks.find((disk) => disk.id === id);
  const specs = new Map<string, Json>();
  if (found !== undefined) specs.set('system-disk', { diskID: found.id, devPath: found.devPath });
  store.replace(kindOf(systemDisks), specs, owner);
}
