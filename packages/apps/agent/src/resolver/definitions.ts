import type { ResourceDefinition } from '@nodecore/api';

const network = { defaultNamespace: 'network', sensitive: false } as const;

/**
 * By who wants it: `{ layer, nameservers: [{ address, protocol, tlsServerName }], searchDomains, disableDefault, hostDns }`. Of each
 * field the strongest layer counts that has it.
 */
export const resolverSpecs: ResourceDefinition = {
  ...network,
  type: 'ResolverSpecs.net.nodecore.dev',
  displayType: 'ResolverSpec',
  description: 'Name servers and domains that somebody wants to be asked.',
  aliases: [],
  printColumns: [
    { name: 'Layer', jsonPath: '$.layer' },
    { name: 'Resolvers', jsonPath: '$.nameservers[*].address' },
    { name: 'Search Domains', jsonPath: '$.searchDomains' },
  ],
};

/** One resource, `resolvers`. */
export const resolverStatuses: ResourceDefinition = {
  ...network,
  type: 'ResolverStatuses.net.nodecore.dev',
  displayType: 'ResolverStatus',
  description: 'Who is asked for names, and whether the node has a resolver of its own in front.',
  aliases: ['resolvers'],
  printColumns: [
    { name: 'Resolvers', jsonPath: '$.dnsServers' },
    { name: 'Search Domains', jsonPath: '$.searchDomains' },
    { name: 'Host DNS', jsonPath: '$.hostDns' },
    { name: 'Error', jsonPath: '$.error' },
  ],
};

/** By place in the list, `#000 DoT 9.9.9.9 (dns.quad9.net)`, while the node has a resolver of its own. */
export const dnsUpstreams: ResourceDefinition = {
  ...network,
  type: 'DNSUpstreams.net.nodecore.dev',
  displayType: 'DNSUpstream',
  description: "A name server behind the node's own resolver, and how it does.",
  aliases: ['dnsupstream'],
  printColumns: [
    { name: 'Healthy', jsonPath: '$.healthy' },
    { name: 'Address', jsonPath: '$.address' },
    { name: 'Answers', jsonPath: '$.answers' },
    { name: 'Failures', jsonPath: '$.failures' },
    { name: 'Last Error', jsonPath: '$.lastError' },
  ],
};
