import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { neededWhere, onlyWhere } from '../../field/rule.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { fallback, optional, required } from '../../field/type.ts';
import { address } from '../../type/address.ts';
import { host, hostName } from '../../type/endpoint.ts';

const nameserver = object(
  {
    address: required('its address', address),
    protocol: fallback(
      'Do53: in clear; DoT: over TLS; DoH: over HTTPS',
      choice('Do53', 'DoT', 'DoH'),
      'Do53',
    ),
    tlsServerName: optional('the name in its certificate', host),
  },
  {
    rules: [
      neededWhere('tlsServerName', 'protocol', ['DoT', 'DoH']),
      onlyWhere('tlsServerName', 'protocol', ['DoT', 'DoH']),
    ],
  },
);

const searchDomains = object({
  domains: optional('looked up in this order; an empty list means none', list(hostName, { most: 32 })),
  disableDefault: fallback('the domain of the machine itself is not looked up', boolean, false),
});

const hostDns = object({
  enabled: fallback('the node runs a resolver that its services and containers ask', boolean, false),
  forwardKubeDNSToHost: fallback("the cluster's DNS asks it too", boolean, false),
  resolveMemberNames: fallback('it knows the names of the members of the cluster', boolean, false),
});

/** `ResolverConfig`: how names are looked up. */
export const resolver = document('ResolverConfig', 'how names are looked up', () => ({
  takesEffect: 'live',
  replaces: [
    'machine.network.nameservers',
    'machine.network.searchDomains',
    'machine.network.disableSearchDomain',
    { path: 'machine.features.hostDNS', beside: 'hostDNS' },
  ],
  fields: {
    nameservers: optional(
      'asked in this order, in place of those that the network names',
      list(nameserver, { most: 32 }),
    ),
    searchDomains: optional('what is tried behind a short name', searchDomains),
    hostDNS: optional("the node's own resolver", hostDns),
  },
  check({ nameservers = [], hostDNS }, at) {
    for (const field of ['forwardKubeDNSToHost', 'resolveMemberNames'] as const) {
      if (hostDNS?.[field] === true && !hostDNS.enabled)
        at.at('hostDNS', field).problem('resolver.host_dns', 'needs hostDNS.enabled: true');
    }
    const encrypted = nameservers.filter(({ protocol }) => protocol !== 'Do53');
    if (encrypted.length > 0 && hostDNS?.enabled !== true) {
      const first = nameservers.findIndex(({ protocol }) => protocol !== 'Do53');
      at.at('nameservers', first, 'protocol').problem(
        'resolver.encrypted',
        'needs hostDNS.enabled: true: nobody else speaks it',
      );
    } else if (encrypted.length > 0 && encrypted.length === nameservers.length) {
      const message =
        'all are encrypted: with a wrong clock at boot no certificate is valid, and no time server is found';
      at.at('nameservers').warning('resolver.all_encrypted', message);
    }
  },
  example: `nameservers:
  - {address: 9.9.9.9, protocol: DoT, tlsServerName: dns.quad9.net}
  - {address: 10.0.0.1}
searchDomains: {domains: [example.internal]}
hostDNS: {enabled: true}
`,
}));
