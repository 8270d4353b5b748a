import type { ResourceDefinition } from '@nodecore/api';

/** Of the one resource. */
export const unattendedInstallId = 'install';

/** One resource, `install`, where a configuration asks for an installation; none else. */
export const unattendedInstallStatuses: ResourceDefinition = {
  type: 'UnattendedInstallStatuses.runtime.nodecore.dev',
  displayType: 'UnattendedInstallStatus',
  description: 'How far the installation is that the configuration asks for, and why it is no further.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Disk', jsonPath: '$.disk' },
    { name: 'Version', jsonPath: '$.version' },
    { name: 'Message', jsonPath: '$.message' },
  ],
  sensitive: false,
};
