import type { ResourceDefinition } from '@nodecore/api';

/** One resource for each configured policy, by its id; times are in ms. */
export const pressurePolicies: ResourceDefinition = {
  type: 'PressurePolicies.runtime.nodecore.dev',
  displayType: 'PressurePolicy',
  description: 'What a pressure policy waits for, what it would do, and what of it is not undone yet.',
  defaultNamespace: 'runtime',
  aliases: ['pp'],
  printColumns: [
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Resource', jsonPath: '$.resource' },
    { name: 'Kind', jsonPath: '$.kind' },
    { name: 'Stall ms', jsonPath: '$.stallMs' },
    { name: 'Window ms', jsonPath: '$.windowMs' },
    { name: 'Action', jsonPath: '$.action' },
    { name: 'Dry Run', jsonPath: '$.dryRun' },
    { name: 'Alerts', jsonPath: '$.alerts' },
    { name: 'Last Alert', jsonPath: '$.lastAlert' },
    { name: 'Held', jsonPath: '$.held' },
    { name: 'Error', jsonPath: '$.errorMessage' },
  ],
  sensitive: false,
};

/** By a number that also grows over restarts; the decisions are kept in a file, and the oldest above the max goes. */
export const pressureDecisions: ResourceDefinition = {
  type: 'PressureDecisions.runtime.nodecore.dev',
  displayType: 'PressureDecision',
  description: 'What a pressure policy did to whom, with the readings that led to it; the last 50.',
  defaultNamespace: 'runtime',
  aliases: ['pd'],
  printColumns: [
    { name: 'Time', jsonPath: '$.time' },
    { name: 'Policy', jsonPath: '$.policy' },
    { name: 'Victim', jsonPath: '$.victim.path' },
    { name: 'Score', jsonPath: '$.victim.score' },
    { name: 'Action', jsonPath: '$.action' },
    { name: 'Outcome', jsonPath: '$.outcome' },
    { name: 'Released', jsonPath: '$.released.reason' },
    { name: 'Error', jsonPath: '$.errorMessage' },
  ],
  sensitive: false,
};
