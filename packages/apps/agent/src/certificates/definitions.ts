import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `api`, once there is a configuration. */
export const certificateStatuses: ResourceDefinition = {
  type: 'CertificateStatuses.security.nodecore.dev',
  displayType: 'CertificateStatus',
  description: 'What the node API shows to clients, who has signed it, and why the next one is waited for.',
  defaultNamespace: 'runtime',
  aliases: ['certs'],
  printColumns: [
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Signed by', jsonPath: '$.signedBy' },
    { name: 'Until', jsonPath: '$.notAfter' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};
