import type { Terminal } from '@nodecore/cli';
import { again } from '../nodes/again.ts';
import { everyNode } from '../nodes/every-node.ts';
import type { Target } from '../nodes/target.ts';
import { LiveTable } from '../output/live-table.ts';
import { type Job, warn } from './job.ts';
import { CgroupsTable, type NodeView, objectsOf } from './output.ts';
import { CgroupsView } from './view.ts';

/** Prints every sample of all nodes, with counters per second, until interrupted. */
export async function watchCgroups(targets: readonly Target[], job: Job, terminal: Terminal): Promise<void> {
  const { schema, format } = job;
  const table = new CgroupsTable(schema, { nodes: targets.length > 1, rates: true });
  const live = new LiveTable<NodeView>({
    nodes: targets.map(({ name }) => name),
    format,
    terminal,
    table: (all) => table.format(all),
    objects: ({ node, view }) => objectsOf(node, view, schema, { rates: true }),
  });
  const { throwFailures } = await everyNode(targets, (target) => follow(target, job, terminal, live));
  throwFailures();
}

async function follow(
  { name, client, node }: Target,
  { schema, request, intervalMs }: Job,
  terminal: Terminal,
  live: LiveTable<NodeView>,
): Promise<void> {
  const view = new CgroupsView();
  const call = { what: request, intervalMillis: intervalMs };
  const messages = again(() => client.watchCgroups(call, { node, signal: terminal.signal }), terminal);
  let warned = false;
  for await (const message of messages) {
    if (!view.accept(message)) continue;
    if (!warned) warn(name, view, schema, terminal);
    warned = true;
    // The first sample has no rates; the second comes within a second.
    if (view.samples > 1) await live.show({ node: name, view });
  }
}
