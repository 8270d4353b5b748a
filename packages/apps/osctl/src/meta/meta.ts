import { printFound, readFormat, type Terminal } from '@nodecore/cli';

import type { GlobalFlags, MaintenanceFlags } from '../global-flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';

export type MetaFlags = GlobalFlags & MaintenanceFlags & { readonly output: string };

/** Keeps a value in META of nodes. As a table, says nothing when it is done. */
export async function metaWrite(
  key: number,
  value: string,
  flags: MetaFlags,
  terminal: Terminal,
): Promise<void> {
  const bytes = Buffer.from(value);
  await each(flags, terminal, { key, state: 'written' }, ({ client, node }) =>
    client.metaWrite({ key, value: bytes }, { node, signal: terminal.signal }),
  );
}

/** Takes a value out of META of nodes. As a table, says nothing when it is done. */
export async function metaDelete(key: number, flags: MetaFlags, terminal: Terminal): Promise<void> {
  await each(flags, terminal, { key, state: 'deleted' }, ({ client, node }) =>
    client.metaDelete({ key }, { node, signal: terminal.signal }),
  );
}

async function each(
  flags: MetaFlags,
  terminal: Terminal,
  done: { readonly key: number; readonly state: 'written' | 'deleted' },
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, work);
  const outcomes = results.map(({ target }) => ({ node: target.name, ...done }));
  await printFound(terminal, format, outcomes, { single: false, text: () => '' });
  throwFailures();
}
