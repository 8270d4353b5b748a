import type { ResourceDefinition } from '@nodecore/api';

/** By volume: xfs filesystems that are checked while they are in use, while a document asks for it. */
export const scrubStatuses: ResourceDefinition = {
  type: 'FSScrubStatuses.block.nodecore.dev',
  displayType: 'FSScrubStatus',
  description: 'A filesystem that is checked while it is in use: when, with what result, and why not.',
  defaultNamespace: 'runtime',
  aliases: ['scrubs'],
  printColumns: [
    { name: 'Mountpoint', jsonPath: '$.mountpoint' },
    { name: 'Interval', jsonPath: '$.intervalSeconds' },
    { name: 'Last', jsonPath: '$.last' },
    { name: 'Result', jsonPath: '$.result' },
    { name: 'Error', jsonPath: '$.error' },
  ],
  sensitive: false,
};
