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

/** By what a node is called, on the control plane that has signed its certificate last, until that ends. */
export const signedNodes: ResourceDefinition = {
  type: 'SignedNodes.security.nodecore.dev',
  displayType: 'SignedNode',
  description: 'A node that has a certificate of this control plane, under which names, and until when.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Address', jsonPath: '$.address' },
    { name: 'Until', jsonPath: '$.until' },
    { name: 'Names', jsonPath: '$.names[*]' },
  ],
  sensitive: false,
};
