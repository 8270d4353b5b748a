import { printFound, readFormat, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';

export type RestartFlags = GlobalFlags & {
  readonly namespace: string;
  readonly orch?: true;
  readonly output: string;
};

/** Restarts a service on nodes. As a table, says nothing when it is done. */
export async function restart(id: string, flags: RestartFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  if (flags.orch === true) terminal.error.write('osctl: --orch is deprecated: use --namespace orch\n');
  await using targets = await Targets.open(flags, terminal);
  const namespace = flags.orch === true ? 'orch' : flags.namespace;
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    client.services.restart({ id, namespace }, { node, signal: terminal.signal }),
  );
  const outcomes = results.map(({ target, result }) => ({
    node: target.name,
    id,
    response: result.response,
  }));
  await printFound(terminal, format, outcomes, { single: false, text: () => '' });
  throwFailures();
}
