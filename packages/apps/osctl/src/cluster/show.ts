import { printFound, readFormat, shortSize, Table, type Terminal } from '@nodecore/cli';
import { ClusterDirectory, clusterNames, type ClusterView, readState, showCluster } from '@nodecore/clusters';

import { directoryOf, type PlaceFlags, stateOf } from './place.ts';

/** Prints what a cluster is made of. */
export async function printCluster(
  flags: PlaceFlags & { readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const view = await showCluster(directoryOf(flags, terminal));
  await printFound(terminal, format, [view], { single: true, text: () => textOf(view) });
}

/** Prints the clusters that there are, half-made ones among them. */
export async function printClusters(
  flags: { readonly state?: string; readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const state = stateOf(flags, terminal);
  const found = await Promise.all(
    (await clusterNames(state)).map(async (name) => {
      const { phase } = await readState(new ClusterDirectory(state, name));
      return { name, phase };
    }),
  );
  await printFound(terminal, format, found, {
    single: false,
    text: () => new Table(['name', 'phase']).format(found.map(({ name, phase }) => [name, phase])),
  });
}

function textOf({ provisioner, name, network, nodes, phase, kept }: ClusterView): string {
  const facts = [
    ['PROVISIONER', provisioner],
    ['NAME', name],
    ['PHASE', kept ? phase : `${phase}, without its keeper`],
    ['NETWORK NAME', network.name],
    ['NETWORK CIDR', network.cidrs.join(',')],
    ['NETWORK GATEWAY', network.gateways.join(',')],
    ['NETWORK MTU', String(network.mtu)],
  ];
  const rows = nodes.map((node) => [
    node.name,
    node.type,
    node.ips.join(','),
    node.cpus.toFixed(2),
    shortSize(BigInt(node.memoryBytes)),
    shortSize(BigInt(node.diskBytes)),
    node.state,
    node.api,
  ]);
  const table = new Table(['name', 'type', 'ip', 'cpu', 'ram', 'disk', 'state', 'api']).format(
    rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
  return `${facts.map(([key = '', value]) => `${key.padEnd(18)}${value}\n`).join('')}\n${table}`;
}
