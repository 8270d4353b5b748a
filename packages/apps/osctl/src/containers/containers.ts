import type { ContainerInfo } from '@nodecore/api/container';
import { printFound, readFormat, Table, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';
import { type NamespaceFlags, namespaceOf, orchIsDeprecated } from './namespace.ts';

export type ContainersFlags = GlobalFlags & NamespaceFlags & { readonly output: string };

/** Prints the containers of nodes. */
export async function listContainers(flags: ContainersFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const namespace = namespaceOf(flags);
  if (flags.orch === true) terminal.error.write(orchIsDeprecated);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    client.containers.list(namespace, { node, signal: terminal.signal }),
  );
  const found = results.flatMap(({ target, result }) =>
    result.containers.map((container) => ({ node: target.name, ...container })),
  );
  const table = (): string =>
    new Table(['node', 'namespace', 'id', 'image', 'pid', 'status']).format(
      found.map(({ node, ...container }) => [node, ...cellsOf(container)]),
    );
  await printFound(terminal, format, found, {
    single: false,
    text: () => (results.length === 0 ? '' : table()),
  });
  throwFailures();
}

function cellsOf({ namespace, id, image, pid, status, podId }: ContainerInfo): string[] {
  const isBelow = podId !== '' && podId !== id;
  return [namespace, isBelow ? `└─ ${id}` : id, image, pid === 0 ? '' : String(pid), status];
}
