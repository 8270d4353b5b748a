import type { UpstreamAddress } from '@nodecore/dns';
import type { Configuration } from '@nodecore/config';
import { fieldsOf, type Json, type Resource } from '@nodecore/state';

import { strongestFirst } from '../applied/layers.ts';

/** What all layers together come to. */
export type WantedResolver = {
  readonly nameservers: readonly UpstreamAddress[];
  readonly searchDomains: readonly string[];
  readonly hostDns: boolean;
};

/** What the documents of a configuration want; fields that they leave out are for weaker layers. */
export function resolverSpec(configuration: Configuration): Json {
  const { nameservers, searchDomains, hostDNS } = configuration.get('ResolverConfig') ?? {};
  return {
    layer: 'configuration',
    ...(nameservers && {
      nameservers: nameservers.map(({ address, protocol, tlsServerName }) => ({
        address: address.text,
        protocol,
        ...(tlsServerName !== undefined && { tlsServerName }),
      })),
    }),
    ...(searchDomains?.domains && { searchDomains: [...searchDomains.domains] }),
    ...(searchDomains && { disableDefault: searchDomains.disableDefault }),
    ...(hostDNS && { hostDns: hostDNS.enabled }),
  };
}

/** @param domain of the machine itself, which is looked up first unless that is switched off. */
export function wantedResolver(specs: readonly Resource[], domain: string): WantedResolver {
  const all = strongestFirst(specs).map(({ spec }) => fieldsOf(spec));
  const field = (name: string): Json | undefined => all.find((spec) => spec[name] !== undefined)?.[name];
  const lists = all.flatMap(({ nameservers }) =>
    Array.isArray(nameservers) && nameservers.length > 0 ? [nameservers] : [],
  );
  const [servers = []] = lists as Json[][];
  const domains = (field('searchDomains') ?? []) as readonly string[];
  const isDefault = field('disableDefault') !== true && domain !== '';
  return {
    nameservers: servers.map((server) => addressOf(server)),
    searchDomains: [...new Set([...(isDefault ? [domain] : []), ...domains])],
    hostDns: field('hostDns') === true,
  };
}

function addressOf(server: Json): UpstreamAddress {
  const { address, protocol = 'Do53', tlsServerName } = fieldsOf(server);
  return {
    address: address as string,
    protocol: protocol as UpstreamAddress['protocol'],
    ...(typeof tlsServerName === 'string' && { serverName: tlsServerName }),
  };
}

/** The most that the C library asks, and looks through. */
const mostServers = 3;

/** The text of resolv.conf. Values are addresses and names of documents or leases: none can begin a line of its own. */
export function resolvConf(servers: readonly string[], searchDomains: readonly string[]): string {
  const lines = [
    ...servers
      .filter(isPlain)
      .slice(0, mostServers)
      .map((server) => `nameserver ${server}`),
    ...(searchDomains.some(isPlain) ? [`search ${searchDomains.filter(isPlain).join(' ')}`] : []),
    'options edns0 trust-ad',
  ];
  return `${lines.join('\n')}\n`;
}

function isPlain(text: string): boolean {
  return /^[A-Za-z0-9_.:-]+$/u.test(text);
}
