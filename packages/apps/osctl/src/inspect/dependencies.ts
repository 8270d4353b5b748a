import { print, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../global-flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { graphOf } from './graph.ts';

export type Flags = GlobalFlags & { readonly withResources?: true };

/** Prints the graph of one node. */
export async function printDependencies(flags: Flags, terminal: Terminal): Promise<void> {
  const { edges } = await onlyNode(flags, terminal, ({ client, node }) =>
    client.dependencies({ node, signal: terminal.signal }),
  );
  await print(terminal.out, graphOf(edges, { withResources: flags.withResources === true }));
}
