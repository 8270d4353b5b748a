import { isIP, isIPv4, isIPv6 } from 'node:net';

import { networkOf, parseCidr } from './cidr.ts';
import { isInside6, parseCidr6 } from './ipv6.ts';

/** An address and a port. */
export type SocketAddress = { readonly address: string; readonly port: number };

/** Who is in the network: it gets this address by DHCP, under this name, when it asks with one of its cards. */
export type LanHost = {
  readonly name: string;
  readonly mac: string;
  /** Of the network. */
  readonly address: string;
  /** Of the network of IPv6 beside it, where there is one. */
  readonly address6?: string;
  /** The tap device of its network card; at most 15 letters, digits and dashes. */
  readonly tap: string;
  /**
   * Taps that each lead it to the gateway alone, which is `fe80::1` there, in place of `tap` at the bridge. Nobody gives it an address
   * over them, and routes to it are for a router in the namespace.
   */
  readonly links?: readonly string[];
  /** Name of a network namespace that the host is in, with its address; `tap` is then the end of its cable at the bridge. */
  readonly namespace?: string;
};

/** A way from the host into the network. */
export type Door = {
  /** Whoever reaches this computer may come in. */
  readonly isPublic?: true;
  /** Where the host listens; a loopback address, unless the door is public. */
  readonly listen: SocketAddress;
  /** In the network. */
  readonly target: SocketAddress;
  /** What it carries; default TCP. */
  readonly protocol?: 'udp';
};

/** A way from the network to a service of the host. */
export type Outlet = {
  /** Of the gateway's address. */
  readonly port: number;
  /** On the host; a loopback address. */
  readonly target: SocketAddress;
};

/** A port of the gateway whose connections are divided among hosts: each goes to the one with the fewest of those that take any. */
export type BalancerSpec = { readonly port: number; readonly targets: readonly SocketAddress[] };

/** Addresses of one family. */
export type Network = {
  /** Network and prefix length, such as `10.5.0.0/24`; of IPv6 with 64 bits, such as `fd00:1::/64`. */
  readonly cidr: string;
  /** Address of the bridge. */
  readonly gateway: string;
};

/** A cluster's network as a value. Where its own addresses are of IPv6, hosts have no others. */
export type LanSpec = Network & {
  /** Name of the network namespace. */
  readonly namespace: string;
  /** Addresses of IPv6 that hosts have beside those of IPv4. Default none. */
  readonly ipv6?: Network;
  /** Bytes; 1280 to 9216. */
  readonly mtu: number;
  /** DNS domain of the hosts. */
  readonly domain: string;
  readonly hosts: readonly LanHost[];
  readonly doors: readonly Door[];
  readonly outlets: readonly Outlet[];
  /**
   * With root this computer reaches the hosts by their own addresses, where nothing else of it has these, and hosts with IPv4 reach what it
   * reaches, where it has the program pasta. Default by doors and outlets alone.
   */
  readonly uplink?: true;
  /** Networks to which nothing goes out by an uplink, as it would go under another address than the host's. Default none. */
  readonly withoutMasquerade?: readonly string[];
  /** Default none. */
  readonly balancers?: readonly BalancerSpec[];
  /** Servers of names that DHCP tells, each to who has its family; default the gateway, which knows the hosts, and other names by an uplink. */
  readonly nameservers?: readonly string[];
  /** Domains in which DHCP has hosts look for names, behind their own. Default none. */
  readonly search?: readonly string[];
  /** DHCP tells no host what it is called; names are answered all the same. */
  readonly withoutDhcpNames?: true;
  /** URL of the script that iPXE, the program of the hosts' network cards, starts from. Default none. */
  readonly bootScript?: string;
};

/** What makes a network impossible, in words; empty when nothing does. */
export function lanProblems(spec: LanSpec): readonly string[] {
  const networks = [spec, ...(spec.ipv6 === undefined ? [] : [spec.ipv6])];
  const none = networks.filter(({ cidr }) => !isNetwork(cidr)).map(({ cidr }) => `${cidr} is no network`);
  if (none.length > 0) return none;
  const found: string[] = [];
  for (const { cidr, gateway } of networks)
    if (!isInside(cidr, gateway)) found.push(`gateway ${gateway} is not in ${cidr}`);
  if (spec.ipv6 !== undefined && !(isIPv4(spec.gateway) && isIPv6(spec.ipv6.gateway)))
    found.push(`${spec.cidr} and ${spec.ipv6.cidr} are not of IPv4 and IPv6`);
  if (!(Number.isInteger(spec.mtu) && spec.mtu >= 1280 && spec.mtu <= 9216)) found.push(`MTU ${spec.mtu}`);
  if (!/^[a-z0-9.-]{1,200}$/.test(spec.domain)) found.push(`domain ${spec.domain}`);
  for (const host of spec.hosts) {
    if (!/^[a-z0-9-]{1,63}$/.test(host.name)) found.push(`host name ${host.name}`);
    if (!/^[\da-f]{2}(:[\da-f]{2}){5}$/.test(host.mac)) found.push(`${host.name}: MAC ${host.mac}`);
    for (const [{ cidr }, address] of addressesIn(spec, host))
      if (!isInside(cidr, address))
        found.push(
          `${host.name}: ${address === '' ? 'none of its addresses is' : `${address} is not`} in ${cidr}`,
        );
    for (const each of tapsOf(host))
      if (!/^[A-Za-z0-9-]{1,15}$/.test(each)) found.push(`${host.name}: interface ${each}`);
    if (host.links !== undefined && host.namespace !== undefined)
      found.push(`${host.name}: a host in a namespace has one cable, at the bridge`);
  }
  for (const key of ['name', 'mac', 'address', 'address6', 'namespace'] as const) {
    const values = spec.hosts.map((host) => host[key]).filter((value) => value !== undefined);
    if (new Set(values).size < values.length) found.push(`two hosts have one ${key}`);
  }
  const taps = spec.hosts.flatMap(tapsOf);
  if (new Set(taps).size < taps.length) found.push('two hosts have one tap');
  for (const { listen, isPublic = false } of spec.doors)
    if (!isPublic && !listen.address.startsWith('127.'))
      found.push(`door ${listen.address} is not on loopback`);
  for (const { port, targets } of spec.balancers ?? [])
    for (const { address } of targets)
      if (!networks.some(({ cidr }) => isInside(cidr, address)))
        found.push(`balancer ${port}: ${address} is not in ${networks.map(({ cidr }) => cidr).join(', ')}`);
  const families = networks.map(({ gateway }) => isIP(gateway));
  for (const text of spec.nameservers ?? [])
    if (!families.includes(isIP(text))) found.push(`server of names ${text}`);
  for (const text of spec.search ?? [])
    if (!/^[a-z0-9.-]{1,253}$/.test(text)) found.push(`domain to search ${text}`);
  // A comma would end it in the server's configuration.
  if (spec.bootScript !== undefined && !/^http:\/\/[!-+\--~]{1,200}$/.test(spec.bootScript))
    found.push(`boot script ${spec.bootScript}`);
  for (const { target } of spec.outlets)
    if (!target.address.startsWith('127.')) found.push(`outlet to ${target.address}: not on loopback`);
  return found;
}

/** The taps of a host. */
export function tapsOf({ tap, links }: Pick<LanHost, 'tap' | 'links'>): readonly string[] {
  return links ?? [tap];
}

/** Interfaces of the namespace that hosts are behind: the bridge, and the cables of those that are not at it. */
export function cablesOf({ hosts }: Pick<LanSpec, 'hosts'>): readonly string[] {
  return ['br0', ...hosts.flatMap(({ links }) => links ?? [])];
}

/** The networks that a host is in, with its addresses. */
export function addressesIn(
  spec: LanSpec,
  { address, address6 = '' }: Pick<LanHost, 'address' | 'address6'>,
): readonly (readonly [network: Network, address: string])[] {
  return [[spec, address], ...(spec.ipv6 === undefined ? [] : [[spec.ipv6, address6] as const])];
}

/** The networks of a spec by their families. */
export function familiesOf(spec: LanSpec): { readonly ipv4?: Network; readonly ipv6?: Network } {
  if (!isIPv4(spec.gateway)) return { ipv6: spec };
  return { ipv4: spec, ...(spec.ipv6 !== undefined && { ipv6: spec.ipv6 }) };
}

function isNetwork(cidr: string): boolean {
  return parseCidr(cidr) !== undefined || parseCidr6(cidr) !== undefined;
}

function isInside(cidr: string, address: string): boolean {
  const parsed = parseCidr(cidr);
  if (parsed === undefined) return isInside6(cidr, address);
  return isIPv4(address) && networkOf(address, parsed.length) === networkOf(parsed.address, parsed.length);
}
