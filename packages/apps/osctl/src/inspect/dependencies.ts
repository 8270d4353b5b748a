import { printFound, readFormat, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../global-flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { graphOf, showEdge } from './graph.ts';

export type Flags = GlobalFlags & { readonly withResources?: true; readonly output: string };

/** Prints the graph of one node; for programs its edges. */
export async function printDependencies(flags: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const { edges } = await onlyNode(flags, terminal, ({ client, node }) =>
    client.dependencies({ node, signal: terminal.signal }),
  );
  await printFound(terminal, format, edges.map(showEdge), {
    single: false,
    text: () => graphOf(edges, { withResources: flags.withResources === true }),
  });
}
