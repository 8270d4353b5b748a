import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `meta`, from the moment that META was found. */
export const metaStatuses: ResourceDefinition = {
  type: 'MetaStatuses.runtime.nodecore.dev',
  displayType: 'MetaStatus',
  description: 'Whether META has what was written to it; a node starts without it, too.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'State', jsonPath: '$.state' },
    { name: 'Warning', jsonPath: '$.warning' },
  ],
  sensitive: false,
};

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
