import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `salt`, once the salt was read from STATE or made there. Sensitive: only os:admin reads it. */
export const encryptionSalts: ResourceDefinition = {
  type: 'EncryptionSalts.security.nodecore.dev',
  displayType: 'EncryptionSalt',
  description:
    'That keys can be locked to STATE, with a digest to tell one salt from another; never the salt.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [{ name: 'Digest', jsonPath: '$.digest' }],
  sensitive: true,
};
