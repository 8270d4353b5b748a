import { printFound, readFormat, Table, type Terminal } from '@nodecore/cli';

import { type NamespaceFlags, namespaceOf, orchIsDeprecated } from '../containers/namespace.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';

export type StatsFlags = GlobalFlags & NamespaceFlags & { readonly output: string };

/** Prints what containers of nodes use. */
export async function showStats(flags: StatsFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const namespace = namespaceOf(flags);
  if (flags.orch === true) terminal.error.write(orchIsDeprecated);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    client.containers.stats(namespace, { node, signal: terminal.signal }),
  );
  const found = results.flatMap(({ target, result }) =>
    result.stats.map((each) => ({ node: target.name, ...each })),
  );
  const table = (): string =>
    new Table(['node', 'namespace', 'id', 'memory(MB)', 'cpu(s)']).format(
      found.map(({ node, namespace: space, id, memoryBytes, cpuNanos }) => [
        node,
        space,
        id,
        (Number(memoryBytes) / 1e6).toFixed(2),
        (Number(cpuNanos) / 1e9).toFixed(2),
      ]),
    );
  await printFound(terminal, format, found, {
    single: false,
    text: () => (results.length === 0 ? '' : table()),
  });
  throwFailures();
}
