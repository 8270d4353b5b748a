import { isIPv4 } from 'node:net';

import { hostAddress, parseCidr } from './cidr.ts';
import { reverseName, ulaPrefix } from './ipv6.ts';
import { addressesIn, familiesOf, type LanSpec, type Network } from './spec.ts';

/** Seconds; short, so that a changed plan is noticed. */
const leaseSeconds = 300;

/**
 * The configuration of the network's DHCP and DNS server. Pure.
 *
 * Only known addresses of network cards are answered. Router advertisements name no default router: they say that addresses come by
 * DHCP, and are there without a network of IPv6, too, because firmware waits a long time for the first one. Names are those of the
 * hosts and no others, unless there are servers to ask for these.
 *
 * @param servers addresses of IPv4 that know all other names.
 */
export function dnsmasqConfig(spec: LanSpec, servers: readonly string[] = []): string {
  const { ipv4, ipv6 } = familiesOf(spec);
  const prefix = ipv6?.cidr.replace(/\/64$/, '') ?? `${ulaPrefix(spec.cidr)}::`;
  const isForCards = ipv6 === undefined && spec.bootScript !== undefined;
  const gateways = [ipv4, ipv6].flatMap((network) => network?.gateway ?? []);
  const lines = [
    'keep-in-foreground',
    'log-facility=-',
    'log-dhcp',
    'interface=br0',
    'except-interface=lo',
    'bind-interfaces',
    'no-hosts',
    'no-resolv',
    'no-ping',
    'leasefile-ro',
    'dhcp-authoritative',
    `domain=${spec.domain}`,
    `local=/${spec.domain}/`,
    ...(ipv4 === undefined ? [] : ipv4Lines(ipv4, spec.mtu)),
    'dhcp-ignore=tag:!known',
    'enable-ra',
    `ra-param=br0,mtu:${ipv6 === undefined ? 'off' : spec.mtu},60,0`,
    `dhcp-range=${isForCards ? 'tag:card,' : ''}${prefix},static,64,${leaseSeconds}`,
    `host-record=gateway.${spec.domain},${gateways.join(',')}`,
    ...nameserverLines(spec.nameservers ?? []),
    ...searchLines(spec),
    // What is no name of the world, or an address that is private, is nobody else's business.
    ...(servers.length === 0 ? [] : ['domain-needed', 'bogus-priv']),
    ...servers.map((address) => `server=${address}`),
    ...(spec.withoutDhcpNames === true ? ['dhcp-ignore-names'] : []),
  ];
  // 175 is what iPXE alone asks with (its encapsulated options).
  if (spec.bootScript !== undefined)
    lines.push('dhcp-match=set:ipxe,175', `dhcp-boot=tag:ipxe,${spec.bootScript}`);
  // iPXE is told by the advertisements to ask for an address of IPv6, too, and goes on 13 seconds later where it gets none.
  if (isForCards) lines.push('dhcp-userclass=set:card,iPXE', ...cardAddresses(spec, prefix));
  for (const host of spec.hosts) {
    const { mac, name } = host;
    const addresses = addressesIn(spec, host).map(([, address]) => address);
    const leased = addresses.map((address) => (isIPv4(address) ? address : `[${address}]`));
    if (spec.withoutDhcpNames === true)
      lines.push(
        `dhcp-host=${mac},${leased.join(',')}`,
        ...quietNames(`${name}.${spec.domain}`, name, addresses),
      );
    else
      lines.push(
        `dhcp-host=${mac},${leased.join(',')},${name}`,
        `host-record=${name},${name}.${spec.domain},${addresses.join(',')}`,
      );
  }
  return `${lines.join('\n')}\n`;
}

/** Of a network without IPv6, for its cards alone, before a system runs. */
function cardAddresses({ hosts }: LanSpec, prefix: string): readonly string[] {
  return hosts.map(({ mac }, index) => `dhcp-host=${mac},[${prefix}${(index + 2).toString(16)}]`);
}

function ipv4Lines({ cidr }: Network, mtu: number): readonly string[] {
  const parsed = parseCidr(cidr);
  if (parsed === undefined) throw new TypeError(`${cidr} is no IPv4 network`);
  return [
    `dhcp-range=${hostAddress(parsed, 0)},static,${netmask(parsed.length)},${leaseSeconds}`,
    `dhcp-option=option:mtu,${mtu}`,
  ];
}

function nameserverLines(all: readonly string[]): readonly string[] {
  const v4 = all.filter((text) => isIPv4(text));
  const v6 = all.filter((text) => !isIPv4(text)).map((text) => `[${text}]`);
  return [
    ...(v4.length > 0 ? [`dhcp-option=option:dns-server,${v4.join(',')}`] : []),
    ...(v6.length > 0 ? [`dhcp-option=option6:dns-server,${v6.join(',')}`] : []),
  ];
}

function searchLines(spec: LanSpec): readonly string[] {
  const { domain, search = [] } = spec;
  if (search.length === 0) return [];
  const { ipv4, ipv6 } = familiesOf(spec);
  const all = [domain, ...search].join(',');
  return [
    ...(ipv4 === undefined ? [] : [`dhcp-option=option:domain-search,${all}`]),
    ...(ipv6 === undefined ? [] : [`dhcp-option=option6:domain-search,${all}`]),
  ];
}

/** The names of a host as answers alone: of a `host-record` DHCP would take the name of a host that has none in its own line. */
function quietNames(whole: string, name: string, addresses: readonly string[]): readonly string[] {
  return addresses.flatMap((address) => [
    `address=/${whole}/${name}/${address}`,
    `ptr-record=${reverseName(address)},${whole}`,
  ]);
}

function netmask(length: number): string {
  return hostAddress({ address: '255.255.255.255', length }, 0);
}
