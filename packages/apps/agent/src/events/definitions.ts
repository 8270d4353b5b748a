import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `sink`, while somebody collects the events of the node. */
export const eventSinkStatuses: ResourceDefinition = {
  type: 'EventSinkStatuses.runtime.nodecore.dev',
  displayType: 'EventSinkStatus',
  description: 'Who collects the events of the node, and how far that is.',
  defaultNamespace: 'runtime',
  aliases: ['eventsinks'],
  printColumns: [
    { name: 'Endpoint', jsonPath: '$.endpoint' },
    { name: 'Sent', jsonPath: '$.sent' },
    { name: 'Waiting', jsonPath: '$.waiting' },
    { name: 'Lost', jsonPath: '$.lost' },
    { name: 'Error', jsonPath: '$.error' },
  ],
  sensitive: false,
};
