import type { ResourceDefinition } from '@nodecore/api';

/**
 * By interface: what the servers of its network say of names, `{ layer: 'operator', nameservers: [{ address }], searchDomains,
 * hostname, timeServers }`. Each field may be missing.
 */
export const leaseNames: ResourceDefinition = {
  type: 'LeaseNames.net.nodecore.dev',
  displayType: 'LeaseName',
  description:
    'Name servers, domains, time servers and the name of the machine as the network of an interface has them.',
  defaultNamespace: 'network',
  aliases: [],
  printColumns: [
    { name: 'Name Servers', jsonPath: '$.nameservers[*].address' },
    { name: 'Search Domains', jsonPath: '$.searchDomains' },
    { name: 'Hostname', jsonPath: '$.hostname' },
  ],
  sensitive: false,
};
