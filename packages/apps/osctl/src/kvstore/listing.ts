import { formatObjects, print, readFormat, Table, type Terminal } from '@nodecore/cli';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets, type Target } from '../nodes/target.ts';

export type Flags = GlobalFlags & { readonly output: string };

export type Listing<Item> = {
  /** After NODE. */
  readonly columns: readonly string[];
  readonly ask: (target: Target, signal: AbortSignal) => Promise<readonly Item[]>;
  readonly row: (item: Item) => readonly string[];
};

/** Asks all nodes at once and prints what they answer, each item with its node. No items print nothing as a table. */
export async function printListing<Item extends object>(
  { columns, ask, row }: Listing<Item>,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, (target) => ask(target, terminal.signal));
  const items = results.flatMap(({ target, result }) => result.map((item) => ({ node: target.name, item })));
  if (format.kind !== 'table') {
    const objects = items.map(({ node, item }) => ({ node, ...item }));
    await print(terminal.out, await formatObjects(objects, format, { single: false }));
  } else if (items.length > 0) {
    const table = new Table(['node', ...columns]);
    await print(terminal.out, table.format(items.map(({ node, item }) => [node, ...row(item)])));
  }
  throwFailures();
}
