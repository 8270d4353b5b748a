import { writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';

import { Namespace } from './namespace.ts';
import { runEach } from './run.ts';
import { addressesIn, type LanHost, type LanSpec } from './spec.ts';
import { removeUplink } from './uplink.ts';

/** What hosts call their network card where they are in namespaces of their own. */
const card = 'eth0';

/** Hosts that are no machines: each is in a network namespace of its own. */
export function housed(hosts: readonly LanHost[]): readonly (LanHost & { readonly namespace: string })[] {
  return hosts.flatMap((host) =>
    host.namespace === undefined ? [] : [{ ...host, namespace: host.namespace }],
  );
}

/** What `ip -batch` reads in the network's namespace to join such a host to the bridge. Pure. */
export function joinCommands({ tap, mac, namespace }: LanHost, mtu: number): readonly string[] {
  return [
    `link add ${tap} mtu ${mtu} type veth peer name ${card} address ${mac} mtu ${mtu} netns ${namespace}`,
    `link set ${tap} master br0 up`,
  ];
}

/** What `ip -batch` reads in the host's own namespace: its addresses, as DHCP would have given them. Pure. */
export function addressCommands(host: LanHost, spec: LanSpec): string {
  const addresses = addressesIn(spec, host);
  const lines = [
    'link set lo up',
    ...addresses.map(
      ([{ cidr }, address]) =>
        `address add ${address}${/\/\d+$/.exec(cidr)?.[0]} dev ${card}${isIPv4(address) ? '' : ' nodad'}`,
    ),
    `link set ${card} up`,
    ...addresses.map(([{ gateway }]) => `route add default via ${gateway}`),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Gives hosts in namespaces their addresses. Their cables are there.
 *
 * @param directory for what ip(8) reads.
 * @throws {LanError} `ERR_LAN_COMMAND`
 */
export async function addressHosts(spec: LanSpec, directory: string): Promise<void> {
  const commands = await Promise.all(
    housed(spec.hosts).map(async (host) => {
      const file = join(directory, `${host.tap}.batch`);
      await writeFile(file, addressCommands(host, spec), { mode: 0o600 });
      return new Namespace(host.namespace).ipCommand(['-batch', file]);
    }),
  );
  if (commands.length > 0) await runEach(commands);
}

/**
 * Ends all that is in a network and in the namespaces of its hosts, and removes these. What is not there is fine.
 *
 * @throws {LanError} `ERR_LAN_INSIDE` when a process inside does not end.
 */
export async function removeNetwork({
  namespace,
  hosts,
}: Pick<LanSpec, 'namespace' | 'hosts'>): Promise<void> {
  for (const host of housed(hosts)) await new Namespace(host.namespace).remove();
  const own = new Namespace(namespace);
  await removeUplink(own).catch(() => {}); // it goes with the namespace, a moment later
  await own.remove();
}
