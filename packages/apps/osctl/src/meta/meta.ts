import type { Terminal } from '@nodecore/cli';

import type { GlobalFlags, MaintenanceFlags } from '../global-flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';

export type MetaFlags = GlobalFlags & MaintenanceFlags;

/** Keeps a value in META of nodes. Says nothing when it is done. */
export async function metaWrite(
  key: number,
  value: string,
  flags: MetaFlags,
  terminal: Terminal,
): Promise<void> {
  const bytes = Buffer.from(value);
  await each(flags, terminal, ({ client, node }) =>
    client.metaWrite({ key, value: bytes }, { node, signal: terminal.signal }),
  );
}

/** Takes a value out of META of nodes. Says nothing when it is done. */
export async function metaDelete(key: number, flags: MetaFlags, terminal: Terminal): Promise<void> {
  await each(flags, terminal, ({ client, node }) =>
    client.metaDelete({ key }, { node, signal: terminal.signal }),
  );
}

async function each(
  flags: MetaFlags,
  terminal: Terminal,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  await using targets = await Targets.open(flags, terminal);
  const { throwFailures } = await everyNode(targets.all, work);
  throwFailures();
}
