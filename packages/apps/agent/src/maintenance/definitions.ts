import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `maintenance`, while the node waits for its first configuration; none else. */
export const maintenanceStatuses: ResourceDefinition = {
  type: 'MaintenanceStatuses.runtime.nodecore.dev',
  displayType: 'MaintenanceStatus',
  description:
    'Why the node waits for its first configuration, and the fingerprint of the certificate that it shows.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Reason', jsonPath: '$.reason' },
    { name: 'Fingerprint', jsonPath: '$.fingerprint' },
  ],
  sensitive: false,
};
