import type { ResourceDefinition } from '@nodecore/api';

const network = { defaultNamespace: 'network' } as const;

/** By name: what is probed; a URL may hold a password. */
export const probeSpecs: ResourceDefinition = {
  ...network,
  type: 'ProbeSpecs.net.nodecore.dev',
  displayType: 'ProbeSpec',
  description: 'Something of the network that is tried again and again.',
  aliases: [],
  printColumns: [
    { name: 'Target', jsonPath: '$.target' },
    { name: 'Interval', jsonPath: '$.intervalMs' },
  ],
  sensitive: true,
};

/** By name, from the first try on. */
export const probeStatuses: ResourceDefinition = {
  ...network,
  type: 'ProbeStatuses.net.nodecore.dev',
  displayType: 'ProbeStatus',
  description: 'Whether something of the network answers.',
  aliases: ['probe', 'probes'],
  printColumns: [
    { name: 'Success', jsonPath: '$.success' },
    { name: 'Failures', jsonPath: '$.failures' },
    { name: 'Last Error', jsonPath: '$.lastError' },
  ],
  sensitive: false,
};
