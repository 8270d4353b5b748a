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

/** One resource, `machine`, while the machine is on its way to something; none else. */
export const machineSequences: ResourceDefinition = {
  type: 'MachineSequences.runtime.nodecore.dev',
  displayType: 'MachineSequence',
  description: 'What the machine is on its way to: a reboot, a shutdown or an upgrade.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [{ name: 'Sequence', jsonPath: '$.sequence' }],
  sensitive: false,
};
