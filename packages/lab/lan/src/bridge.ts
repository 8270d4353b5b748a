import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { addressCommands, housed, joinCommands } from './host-namespaces.ts';
import { parseCidr } from './cidr.ts';
import { ulaPrefix } from './ipv6.ts';
import { Namespace } from './namespace.ts';
import { familiesOf, type LanSpec } from './spec.ts';

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
    ...spec.hosts.flatMap((host) =>
      host.namespace === undefined
        ? [
            `tuntap add dev ${host.tap} mode tap vnet_hdr`,
            `link set ${host.tap} mtu ${spec.mtu} master br0 up`,
          ]
        : joinCommands(host, spec.mtu),
    ),
    'link set br0 up',
  ];
  return `${lines.join('\n')}\n`;
}

/** Makes the bridge and the taps of a network in its namespace, all with one program; each host in a namespace takes another. */
export async function makeBridge(namespace: Namespace, spec: LanSpec, directory: string): Promise<void> {
  const file = join(directory, 'ip.batch');
  await writeFile(file, bridgeCommands(spec), { mode: 0o600 });
  for (const host of housed(spec.hosts)) await new Namespace(host.namespace).make();
  await namespace.run(['ip', '-batch', file]);
  for (const host of housed(spec.hosts)) {
    const own = join(directory, `${host.tap}.batch`);
    await writeFile(own, addressCommands(host, spec), { mode: 0o600 });
    await new Namespace(host.namespace).run(['ip', '-batch', own]);
  }
}
