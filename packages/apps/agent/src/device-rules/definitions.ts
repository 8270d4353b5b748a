import type { ResourceDefinition } from '@nodecore/api';

const files = { defaultNamespace: 'files', sensitive: false } as const;

/** One resource, `configuration`: rules as they were read. */
export const udevRuleConfigs: ResourceDefinition = {
  ...files,
  type: 'UdevRuleConfigs.files.nodecore.dev',
  displayType: 'UdevRuleConfig',
  description: 'Rules for devices that are wanted, in the words of udev.',
  aliases: [],
  printColumns: [{ name: 'Rules', jsonPath: '$.rules[*].text' }],
};

/** By number of the rule, `001` first. */
export const udevRuleStatuses: ResourceDefinition = {
  ...files,
  type: 'UdevRuleStatuses.files.nodecore.dev',
  displayType: 'UdevRuleStatus',
  description: 'A rule for devices, those that it is about, and why it is not fulfilled.',
  aliases: ['udevrules'],
  printColumns: [
    { name: 'Rule', jsonPath: '$.rule' },
    { name: 'Devices', jsonPath: '$.devices' },
    { name: 'Error', jsonPath: '$.error' },
  ],
};
