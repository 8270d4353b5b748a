import type { ResourceDefinition } from '@nodecore/api';
import { controllerItems as kind } from '@nodecore/runtime';

/** One for each item of a controller that waits or fails, by `CONTROLLER:ITEM`; none of those that are done. */
export const controllerItems: ResourceDefinition = {
  type: kind.type,
  displayType: 'ControllerItem',
  description:
    'What a part of the node waits for, or fails at: the reason, since when, and how often in a row.',
  defaultNamespace: kind.namespace,
  aliases: ['items'],
  printColumns: [
    { name: 'Controller', jsonPath: '$.controller' },
    { name: 'Item', jsonPath: '$.item' },
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Failures', jsonPath: '$.failures' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};
