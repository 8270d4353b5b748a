import { hostAddress, type LanSpec, networkOf, parseCidr } from './spec.ts';

/** Seconds; short, so that a changed plan is noticed. */
const leaseSeconds = 300;

/**
 * The configuration of the network's DHCP and DNS server. Pure.
 *
 * Only known addresses of network cards are answered. Router advertisements name no default router and no addresses:
 * they are there because firmware waits a long time for the first one. Names are those of the hosts and no others.
 */
export function dnsmasqConfig(spec: LanSpec): string {
  const cidr = parseCidr(spec.cidr);
  if (cidr === undefined) throw new TypeError(`${spec.cidr} is no IPv4 network`);
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
    `dhcp-range=${hostAddress(cidr, 0)},static,${netmask(cidr.length)},${leaseSeconds}`,
    'dhcp-ignore=tag:!known',
    `dhcp-option=option:mtu,${spec.mtu}`,
    'enable-ra',
    'ra-param=br0,mtu:off,60,0',
    `dhcp-range=${ulaPrefix(spec.cidr)}::,static,64,${leaseSeconds}`,
    `host-record=gateway.${spec.domain},${spec.gateway}`,
  ];
  if (spec.nameservers !== undefined && spec.nameservers.length > 0)
    lines.push(`dhcp-option=option:dns-server,${spec.nameservers.join(',')}`);
  // 175 is what iPXE alone asks with (its encapsulated options).
  if (spec.bootScript !== undefined)
    lines.push('dhcp-match=set:ipxe,175', `dhcp-boot=tag:ipxe,${spec.bootScript}`);
  for (const { mac, address, name } of spec.hosts) {
    lines.push(
      `dhcp-host=${mac},${address},${name}`,
      `host-record=${name},${name}.${spec.domain},${address}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** The unique local prefix of 64 bits that goes with an IPv4 network, without its `::`. */
export function ulaPrefix(cidr: string): string {
  const parsed = parseCidr(cidr);
  if (parsed === undefined) throw new TypeError(`${cidr} is no IPv4 network`);
  const number = networkOf(parsed.address, parsed.length);
  const groups = [number >>> 16, number & 0xffff].map((group) => group.toString(16));
  return `fd6f:7300:${groups.join(':')}`;
}

function netmask(length: number): string {
  return hostAddress({ address: '255.255.255.255', length }, 0);
}
