import type { Inventory } from '@nodecore/block';

import { Latest } from '@nodecore/waiting';
import { node } from '../node.ts';
import { hostDirectory } from '../persistence/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { blockDevices, discoveredVolumes, discoveryStatuses, disks, systemDisks } from './definitions.ts';
import { discoveryController } from './discovery.ts';

/** The disks of the machine. Its handle has no value before all of them were looked at. */
export const discovery: Feature<Latest<Inventory>> = feature({
  name: 'discovery',
  needs: { node, hostDirectory },
  writes: [blockDevices, discoveredVolumes, discoveryStatuses, disks, systemDisks],
  make: ({ node: { log }, hostDirectory: directory }) => {
    const inventory = new Latest<Inventory>();
    const systemDisk = directory === undefined;
    return { handle: inventory, controllers: [discoveryController({ log, inventory, systemDisk })] };
  },
});
