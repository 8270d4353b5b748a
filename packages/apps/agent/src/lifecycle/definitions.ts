import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `machine`. */
export const machineStatuses: ResourceDefinition = {
  type: 'MachineStatuses.runtime.nodecore.dev',
  displayType: 'MachineStatus',
  description: 'What the machine is doing as a whole, and what it lacks to be ready.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Stage', jsonPath: '$.stage' },
    { name: 'Ready', jsonPath: '$.status.ready' },
    { name: 'Unmet', jsonPath: '$.status.unmetConditions[*].name' },
  ],
  sensitive: false,
};
