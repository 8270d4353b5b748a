import type { ResourceDefinition } from '@nodecore/api';

const runtime = { defaultNamespace: 'runtime', sensitive: false } as const;

/**
 * By who wants it: `{ enabled, servers, useNTS, clocks, bootTimeoutSeconds }`. Without servers and clocks those of the network are
 * asked, and public ones where it names none.
 */
export const timeSyncConfigs: ResourceDefinition = {
  ...runtime,
  type: 'TimeSyncConfigs.runtime.nodecore.dev',
  displayType: 'TimeSyncConfig',
  description: 'Where the clock of the machine is to be set from.',
  aliases: [],
  printColumns: [
    { name: 'Enabled', jsonPath: '$.enabled' },
    { name: 'Servers', jsonPath: '$.servers' },
    { name: 'Clocks', jsonPath: '$.clocks' },
  ],
};

/**
 * One resource, `node`. `ready`: the clock was right once, or nobody waits for it any more. `epoch` counts jumps of more than a
 * quarter of an hour since the agent began. `hostClock`: the host keeps it, and what it does is not known.
 */
export const timeStatuses: ResourceDefinition = {
  ...runtime,
  type: 'TimeStatuses.runtime.nodecore.dev',
  displayType: 'TimeStatus',
  description: 'Whether the clock of the machine is right, and whom it follows.',
  aliases: ['timestatus'],
  printColumns: [
    { name: 'Synced', jsonPath: '$.synced' },
    { name: 'Source', jsonPath: '$.source' },
    { name: 'Offset', jsonPath: '$.offsetSeconds' },
    { name: 'Epoch', jsonPath: '$.epoch' },
    { name: 'Error', jsonPath: '$.error' },
  ],
};
