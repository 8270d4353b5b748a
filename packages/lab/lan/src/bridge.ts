import { joinCommands } from './host-namespaces.ts';
import { parseCidr } from './cidr.ts';
import { ulaPrefix } from './ipv6.ts';
import { familiesOf, type LanHost, type LanSpec } from './spec.ts';

/** What `ip -batch` reads to make the bridge, the taps, and the cables of hosts in namespaces. Pure. */
export function bridgeCommands(spec: LanSpec): string {
  const { ipv4, ipv6 } = familiesOf(spec);
  const { length } = parseCidr(spec.cidr) ?? {};
  const lines = [
    'link set lo up',
    `link add br0 mtu ${spec.mtu} type bridge forward_delay 0`,
    // One that it chose by itself would be proven first: nobody takes an advertisement from another address meanwhile.
    'link set br0 addrgenmode none',
    'address add fe80::1/64 dev br0 nodad',
    ...(ipv4 === undefined ? [] : [`address add ${ipv4.gateway}/${length} dev br0`]),
    `address add ${ipv6?.gateway ?? `${ulaPrefix(spec.cidr)}::1`}/64 dev br0 nodad`,
    // They stay when nobody has them open: QEMU takes its own and gives it back.
    ...spec.hosts.flatMap((host) => cableCommands(host, spec.mtu)),
    'link set br0 up',
  ];
  return `${lines.join('\n')}\n`;
}

function cableCommands(host: LanHost, mtu: number): readonly string[] {
  if (host.namespace !== undefined) return joinCommands(host, mtu);
  if (host.links === undefined)
    return [`tuntap add dev ${host.tap} mode tap vnet_hdr`, `link set ${host.tap} mtu ${mtu} master br0 up`];
  return host.links.flatMap((tap) => [
    `tuntap add dev ${tap} mode tap vnet_hdr`,
    // Of any cable alone, so that all gateways have one address.
    `link set ${tap} addrgenmode none`,
    `address add fe80::1/64 dev ${tap} nodad`,
    `link set ${tap} mtu ${mtu} up`,
  ]);
}
