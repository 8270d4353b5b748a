import { isDeepStrictEqual } from 'node:util';

import {
  formatStreamed,
  print,
  printFound,
  readFormat,
  Screen,
  shortSize,
  Table,
  type Terminal,
} from '@nodecore/cli';
import {
  type ClusterDirectory,
  type ClusterView,
  effectWords,
  keepCluster,
  type ListedCluster,
  listClusters,
  showCluster,
} from '@nodecore/clusters';
import { systemClock } from '@nodecore/waiting';

import { cacheOf, directoryOf, type PlaceFlags, stateOf } from './place.ts';

/** The flags of `osctl cluster show`. */
export type ShowFlags = PlaceFlags & { readonly watch?: true; readonly output: string };

const pollMs = 500;
const directions = ['to', 'from'] as const;

/** Prints what a cluster is made of. A keeper that was killed is started again first: without one nobody reaches the nodes. */
export async function printCluster(
  flags: PlaceFlags & { readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const directory = directoryOf(flags, terminal);
  await kept(directory, terminal);
  const view = await showCluster(directory);
  await printFound(terminal, format, [view], { single: true, text: () => textOf(view) });
}

/** Prints a cluster each time that something about it changes, until it is gone or nobody wants more. */
export async function watchCluster(flags: ShowFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const directory = directoryOf(flags, terminal);
  await kept(directory, terminal);
  const screen = new Screen(terminal.out);
  let before: ClusterView | undefined;
  do {
    const view = await showCluster(directory);
    if (!isDeepStrictEqual(view, before)) {
      if (format.kind === 'table') await screen.show(textOf(view));
      else await print(terminal.out, await formatStreamed(view, format));
    }
    before = view;
    await systemClock.sleep(pollMs, terminal.signal);
  } while (await directory.exists());
  await print(terminal.error, `cluster ${flags.name} is gone\n`);
}

async function kept(directory: ClusterDirectory, terminal: Terminal): Promise<void> {
  await keepCluster(directory, cacheOf(terminal)).catch((error: unknown) => {
    terminal.error.write(`its keeper can't be started again: ${String(error)}\n`);
  });
}

/** Prints the clusters that there are, half-made ones among them. */
export async function printClusters(
  flags: { readonly state?: string; readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const found = await listClusters(stateOf(flags, terminal));
  await printFound(terminal, format, found, {
    single: false,
    text: () =>
      new Table(['name', 'phase', 'machines']).format(
        found.map(({ name, phase, ready, machines }) => [name, inWords(phase, ready), String(machines)]),
      ),
  });
}

function inWords(phase: ListedCluster['phase'], ready: boolean): string {
  return ready || phase === 'destroying' || phase === 'damaged' ? phase : `${phase}, not finished`;
}

function textOf({
  provisioner,
  name,
  network,
  orchEndpoint,
  nodes,
  phase,
  accelerator,
  kept,
  ready,
  redfish,
}: ClusterView): string {
  const facts = [
    ['PROVISIONER', provisioner],
    ['NAME', name],
    ['PHASE', kept || phase !== 'running' ? inWords(phase, ready) : `${phase}, without its keeper`],
    ...(accelerator === undefined ? [] : [['ACCELERATOR', accelerator]]),
    ['NETWORK NAME', network.name],
    ['NETWORK CIDR', network.cidrs.join(',')],
    ['NETWORK GATEWAY', network.gateways.join(',')],
    ['NETWORK MTU', String(network.mtu)],
    ['ORCH ENDPOINT', orchEndpoint],
    ['HOST ACCESS', network.access === 'doors' ? 'doors alone' : 'addresses, doors'],
    ...(redfish === undefined ? [] : [['REDFISH', redfish]]),
  ];
  const hasIpmi = nodes.some(({ ipmi }) => ipmi !== undefined);
  const rows = nodes.map((node) => [
    node.name,
    node.type,
    node.ips.join(','),
    node.cpus.toFixed(2),
    shortSize(BigInt(node.memoryBytes)),
    node.diskBytes === 0 ? '-' : shortSize(BigInt(node.diskBytes)),
    node.state,
    node.api,
    ...(hasIpmi ? [node.ipmi ?? '-'] : []),
  ]);
  const columns = ['name', 'type', 'ip', 'cpu', 'ram', 'disk', 'state', 'api', ...(hasIpmi ? ['ipmi'] : [])];
  const table = new Table(columns).format(rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)));
  return `${facts.map(([key = '', value]) => `${key.padEnd(18)}${value}\n`).join('')}\n${table}${chaosOf(nodes)}`;
}

function chaosOf(nodes: ClusterView['nodes']): string {
  const rows = nodes.flatMap(({ name, chaos }) =>
    directions.flatMap((direction) => {
      const words = effectWords(chaos?.[direction]);
      return words === undefined ? [] : [[name, direction, words]];
    }),
  );
  return rows.length === 0 ? '' : `\n${new Table(['name', 'direction', 'chaos']).format(rows)}`;
}
