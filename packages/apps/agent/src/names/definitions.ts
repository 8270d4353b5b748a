import type { ResourceDefinition } from '@nodecore/api';

const network = { defaultNamespace: 'network', sensitive: false } as const;

/**
 * Names for the machine, by who says them: `{ layer, hostname }`, the name with its domain or without. Of `default`, `cmdline`,
 * `platform`, `operator` (DHCP) and `configuration` the last one that there is counts.
 */
export const hostnameSpecs: ResourceDefinition = {
  ...network,
  type: 'HostnameSpecs.net.nodecore.dev',
  displayType: 'HostnameSpec',
  description: 'A name that somebody has for the machine.',
  aliases: [],
  printColumns: [
    { name: 'Layer', jsonPath: '$.layer' },
    { name: 'Hostname', jsonPath: '$.hostname' },
  ],
};

/** One resource, `hostname`. */
export const hostnameStatuses: ResourceDefinition = {
  ...network,
  type: 'HostnameStatuses.net.nodecore.dev',
  displayType: 'HostnameStatus',
  description: 'What the machine is called.',
  aliases: ['hostname'],
  printColumns: [
    { name: 'Hostname', jsonPath: '$.hostname' },
    { name: 'Domainname', jsonPath: '$.domainname' },
    { name: 'Error', jsonPath: '$.error' },
  ],
};

/** By address: names for /etc/hosts. */
export const staticHosts: ResourceDefinition = {
  ...network,
  type: 'StaticHosts.net.nodecore.dev',
  displayType: 'StaticHost',
  description: 'Names of an address in /etc/hosts.',
  aliases: [],
  printColumns: [{ name: 'Names', jsonPath: '$.names' }],
};
