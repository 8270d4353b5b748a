import { formatStreamed, print, Screen, type Terminal } from '@nodecore/cli';
import { again } from '../nodes/again.ts';
import { everyNode } from '../nodes/every-node.ts';
import type { Target } from '../nodes/target.ts';
import { type Job, warn } from './job.ts';
import { CgroupsTable, objectsOf } from './output.ts';
import { CgroupsView } from './view.ts';

/** Prints every sample of all nodes, with counters per second, until interrupted. */
export async function watchCgroups(targets: readonly Target[], job: Job, terminal: Terminal): Promise<void> {
  const { schema, format } = job;
  const views = new Map<string, CgroupsView>();
  const screen = new Screen(terminal.out);
  const table = new CgroupsTable(schema, { nodes: targets.length > 1, rates: true });
  const show = async (node: string, view: CgroupsView): Promise<void> => {
    views.set(node, view);
    if (format.kind !== 'table') {
      const lines = objectsOf(node, view, schema, { rates: true }).map((object) =>
        formatStreamed(object, format),
      );
      await print(terminal.out, (await Promise.all(lines)).join(''));
      return;
    }
    const names = screen.replaces ? targets.map(({ name }) => name) : [node];
    const shown = names.flatMap((name) => {
      const view = views.get(name);
      return view === undefined ? [] : [{ node: name, view }];
    });
    await screen.show(table.format(shown));
  };
  const { throwFailures } = await everyNode(targets, (target) => follow(target, job, terminal, show));
  throwFailures();
}

async function follow(
  { name, client, node }: Target,
  { schema, request, intervalMs }: Job,
  terminal: Terminal,
  show: (node: string, view: CgroupsView) => Promise<void>,
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
    if (view.samples > 1) await show(name, view);
  }
}
