import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `link`, where the node has a fleet. */
export const linkStatuses: ResourceDefinition = {
  type: 'LinkStatuses.fleet.nodecore.dev',
  displayType: 'LinkStatus',
  description: 'Whether the node is linked to its fleet, and why not.',
  defaultNamespace: 'runtime',
  aliases: ['ls'],
  printColumns: [
    { name: 'Connected', jsonPath: '$.connected' },
    { name: 'State', jsonPath: '$.state' },
    { name: 'Fleet', jsonPath: '$.fleet' },
    { name: 'Machine', jsonPath: '$.machine' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};
