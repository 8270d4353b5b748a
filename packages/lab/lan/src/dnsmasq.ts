import { isIPv4 } from 'node:net';

import { hostAddress, parseCidr } from './cidr.ts';
import { ulaPrefix } from './ipv6.ts';
import { addressesIn, familiesOf, type LanSpec, type Network } from './spec.ts';

/** Seconds; short, so that a changed plan is noticed. */
const leaseSeconds = 300;

/**
 * The configuration of the network's DHCP and DNS server. Pure.
 *
 * Only known addresses of network cards are answered. Router advertisements name no default router: they say that addresses come by
 * DHCP, and are there without a network of IPv6, too, because firmware waits a long time for the first one. Names are those of the
 * hosts and no others.
 */
export function dnsmasqConfig(spec: LanSpec): string {
  const { ipv4, ipv6 } = familiesOf(spec);
  const prefix = ipv6?.cidr.replace(/\/64$/, '') ?? `${ulaPrefix(spec.cidr)}::`;
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
    `dhcp-range=${prefix},static,64,${leaseSeconds}`,
    `host-record=gateway.${spec.domain},${gateways.join(',')}`,
    ...nameserverLines(spec.nameservers ?? []),
  ];
  // 175 is what iPXE alone asks with (its encapsulated options).
  if (spec.bootScript !== undefined)
    lines.push('dhcp-match=set:ipxe,175', `dhcp-boot=tag:ipxe,${spec.bootScript}`);
  for (const host of spec.hosts) {
    const { mac, name } = host;
    const addresses = addressesIn(spec, host).map(([, address]) => address);
    const leased = addresses.map((address) => (isIPv4(address) ? address : `[${address}]`));
    lines.push(
      `dhcp-host=${mac},${leased.join(',')},${name}`,
      `host-record=${name},${name}.${spec.domain},${addresses.join(',')}`,
    );
  }
  return `${lines.join('\n')}\n`;
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

function netmask(length: number): string {
  return hostAddress({ address: '255.255.255.255', length }, 0);
}
