import type { ResourceDefinition } from '@nodecore/api';

/** One for each key that has a value, by its number: `0x0a`. */
export const metaKeys: ResourceDefinition = {
  type: 'MetaKeys.runtime.nodecore.dev',
  displayType: 'MetaKey',
  description:
    'What META keeps for users; values that open something or prove who the machine is are left out.',
  defaultNamespace: 'runtime',
  aliases: ['meta'],
  printColumns: [{ name: 'Value', jsonPath: '$.value' }],
  sensitive: false,
};
