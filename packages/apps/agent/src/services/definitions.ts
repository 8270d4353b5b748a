import type { ResourceDefinition } from '@nodecore/api';

/** By id: what each service is doing. */
export const serviceStatuses: ResourceDefinition = {
  type: 'Services.runtime.nodecore.dev',
  displayType: 'Service',
  description: 'A program that the node keeps running.',
  defaultNamespace: 'runtime',
  aliases: ['svc'],
  printColumns: [
    { name: 'State', jsonPath: '$.state' },
    { name: 'Running', jsonPath: '$.running' },
    { name: 'Healthy', jsonPath: '$.healthy' },
    { name: 'Health Unknown', jsonPath: '$.unknown' },
    { name: 'Message', jsonPath: '$.message' },
  ],
  sensitive: false,
};

/** By id: the process of each service that runs. */
export const servicePids: ResourceDefinition = {
  type: 'ServicePIDs.runtime.nodecore.dev',
  displayType: 'ServicePID',
  description: 'The process of a service.',
  defaultNamespace: 'runtime',
  aliases: ['servicepid'],
  printColumns: [
    { name: 'PID', jsonPath: '$.pid' },
    { name: 'Started', jsonPath: '$.started' },
  ],
  sensitive: false,
};
