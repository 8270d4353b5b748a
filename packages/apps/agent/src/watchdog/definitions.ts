import type { ResourceDefinition } from '@nodecore/api';

const runtime = { defaultNamespace: 'runtime', aliases: [], sensitive: false } as const;

/** One resource, `configuration`: a device and seconds, or neither. */
export const watchdogTimerConfigs: ResourceDefinition = {
  ...runtime,
  type: 'WatchdogTimerConfigs.runtime.nodecore.dev',
  displayType: 'WatchdogTimerConfig',
  description: 'The watchdog that is wanted.',
  printColumns: [
    { name: 'Device', jsonPath: '$.device' },
    { name: 'Timeout', jsonPath: '$.timeoutSeconds' },
  ],
};

/** One resource, `timer`, while a watchdog is wanted. */
export const watchdogTimerStatuses: ResourceDefinition = {
  ...runtime,
  type: 'WatchdogTimerStatuses.runtime.nodecore.dev',
  displayType: 'WatchdogTimerStatus',
  description: 'The watchdog that PID 1 feeds while the agent answers.',
  printColumns: [
    { name: 'Device', jsonPath: '$.device' },
    { name: 'Timeout', jsonPath: '$.timeoutSeconds' },
    { name: 'Error', jsonPath: '$.error' },
  ],
};
