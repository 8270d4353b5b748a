import type { ResourceDefinition } from '@nodecore/api';

/** At most two resources, `v1alpha1` and `persistent`. Sensitive: only os:admin reads them. */
export const machineConfigs: ResourceDefinition = {
  type: 'MachineConfigs.config.nodecore.dev',
  displayType: 'MachineConfig',
  description:
    'The machine configuration as text, secrets redacted: v1alpha1 is active, persistent survives a reboot.',
  defaultNamespace: 'config',
  aliases: ['mc'],
  printColumns: [],
  sensitive: true,
};
