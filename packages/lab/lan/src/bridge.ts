import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ulaPrefix } from './dnsmasq.ts';
import type { Namespace } from './namespace.ts';
import { type LanSpec, parseCidr } from './spec.ts';

/** What `ip -batch` reads to make the bridge and the taps. Pure. */
export function bridgeCommands(spec: LanSpec): string {
  const { length = 24 } = parseCidr(spec.cidr) ?? {};
  const lines = [
    'link set lo up',
    `link add br0 mtu ${spec.mtu} type bridge forward_delay 0`,
    `address add ${spec.gateway}/${length} dev br0`,
    `address add ${ulaPrefix(spec.cidr)}::1/64 dev br0 nodad`,
    // They stay when nobody has them open: QEMU takes its own and gives it back.
    ...spec.hosts.flatMap(({ tap }) => [
      `tuntap add dev ${tap} mode tap vnet_hdr`,
      `link set ${tap} mtu ${spec.mtu} master br0 up`,
    ]),
    'link set br0 up',
  ];
  return `${lines.join('\n')}\n`;
}

/** Makes the bridge and the taps of a network in its namespace, all with one program. */
export async function makeBridge(namespace: Namespace, spec: LanSpec, directory: string): Promise<void> {
  const file = join(directory, 'ip.batch');
  await writeFile(file, bridgeCommands(spec), { mode: 0o600 });
  await namespace.run(['ip', '-batch', file]);
}
