import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

import type { Kvstore, Subnet } from '@nodecore/config';

import { MemberError } from './errors.ts';

/** An address of this machine; `internal` is loopback. */
export type OwnAddress = {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly internal: boolean;
};

export type MemberAddresses = {
  /** Where the member listens. */
  readonly listen: readonly string[];
  /** Where others find it. */
  readonly advertised: string;
  /** Where this node itself finds it. */
  readonly local: string;
};

/** Where etcd answers clients (etcd-client at IANA); no extra argument of the configuration changes it. */
export const clientPort = 2379;
/** Where etcd answers metrics, health and the gRPC gateway, for holders of certificates; see {@link clientPort}. */
export const httpPort = 2383;
/** Where members reach each other (etcd-server at IANA); no extra argument of the configuration changes it. */
export const peerPort = 2380;

/** Addresses of interfaces that are up, without those that are good on one link only. */
export function ownAddresses(): readonly OwnAddress[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ address }) => !linkLocal.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
    .map(({ address, internal }) => ({ address, internal, family: isIPv6(address) ? 'ipv6' : 'ipv4' }));
}

const linkLocal = new BlockList();
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');

/**
 * Where a member listens and what it advertises to others.
 *
 * @throws {MemberError} `ERR_MEMBER_ADDRESS` while no address fits: one may come.
 */
export function memberAddresses(
  own: readonly OwnAddress[],
  { advertisedSubnets, listenSubnets }: Pick<Kvstore, 'advertisedSubnets' | 'listenSubnets'>,
): MemberAddresses {
  const listen = within([...own, ...loopback(listenSubnets)], listenSubnets).map(({ address }) => address);
  const everywhere = listenSubnets.length === 0;
  if (!everywhere && listen.length === 0)
    throw new MemberError(
      'ERR_MEMBER_ADDRESS',
      'no address of this node is in cluster.kvstore.listenSubnets',
    );
  const advertised = advertisedOf(own, advertisedSubnets);
  if (advertised === undefined)
    throw new MemberError(
      'ERR_MEMBER_ADDRESS',
      'no address of this node is in cluster.kvstore.advertisedSubnets',
    );
  if (!everywhere) return { listen, advertised, local: listen[0] ?? advertised };
  // `::` takes IPv4 too; a kernel without IPv6 does not have it.
  const any = own.some(({ family }) => family === 'ipv6') ? '::' : '0.0.0.0';
  return { listen: [any], advertised, local: '127.0.0.1' };
}

/** A URL of a member. */
export function urlOf(address: string, port: number): string {
  return `https://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** The addresses of members, by their URLs, each once; what is no URL has none. */
export function addressesOf(urls: readonly string[]): readonly string[] {
  const hosts = urls.flatMap((url) =>
    URL.canParse(url) ? [new URL(url).hostname.replace(/^\[(.*)\]$/u, '$1')] : [],
  );
  return [...new Set(hosts)];
}

function advertisedOf(own: readonly OwnAddress[], subnets: readonly Subnet[]): string | undefined {
  if (subnets.length > 0) return within([...own, ...loopback(subnets)], subnets)[0]?.address;
  const reachable = own.filter(({ internal }) => !internal);
  const first = reachable.find(({ family }) => family === 'ipv4') ?? reachable[0];
  return first?.address ?? '127.0.0.1'; // a machine without a network is a cluster of one
}

/** Every address of 127.0.0.0/8 is this machine's (RFC 1122, 3.2.1.3), though interfaces show one of them. */
function loopback(subnets: readonly Subnet[]): readonly OwnAddress[] {
  return subnets
    .filter(({ address, prefix, excluded }) => !excluded && prefix === 32 && address.startsWith('127.'))
    .map(({ address }) => ({ address, family: 'ipv4', internal: true }));
}

function within(own: readonly OwnAddress[], subnets: readonly Subnet[]): readonly OwnAddress[] {
  const included = listOf(subnets, false);
  const excluded = listOf(subnets, true);
  const onlyExclusions = subnets.every((subnet) => subnet.excluded);
  return own.filter(
    ({ address, family, internal }) =>
      !excluded.check(address, family) && (onlyExclusions ? !internal : included.check(address, family)),
  );
}

function listOf(subnets: readonly Subnet[], excluded: boolean): BlockList {
  const list = new BlockList();
  for (const subnet of subnets)
    if (subnet.excluded === excluded) list.addSubnet(subnet.address, subnet.prefix, subnet.family);
  return list;
}
