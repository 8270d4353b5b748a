import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `signer`, on a control plane. */
export const signerStatuses: ResourceDefinition = {
  type: 'SignerStatuses.security.nodecore.dev',
  displayType: 'SignerStatus',
  description: 'Whether this control plane signs the certificates of workers, and why not.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Listening', jsonPath: '$.listening' },
    { name: 'Port', jsonPath: '$.port' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};
