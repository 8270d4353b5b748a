import { formatObjects, print, readFormat, type Terminal } from '@nodecore/cli';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets, type Target } from '../nodes/target.ts';
import { type Job, warn } from './job.ts';
import { CgroupsTable, objectsOf } from './output.ts';
import { readSchema, type SchemaFlags } from './schema.ts';
import { CgroupsView } from './view.ts';
import { watchCgroups } from './watch.ts';

export type CgroupsFlags = SchemaFlags & {
  readonly skipCriResolve?: true;
  readonly watch?: true;
  readonly interval?: number;
  readonly output: string;
};

/** Prints the cgroups of all nodes, once or again and again. */
export async function showCgroups(
  cgroup: string | undefined,
  flags: CgroupsFlags & GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  const schema = await readSchema(flags);
  const format = await readFormat(flags.output);
  const request = {
    files: schema.files,
    cgroup: cgroup ?? '',
    names: flags.skipCriResolve !== true,
    processes: schema.processNames,
  };
  await using targets = await Targets.open(flags, terminal);
  const job = { schema, request, format, intervalMs: flags.interval ?? 1000 };
  await (flags.watch === true ? watchCgroups : readOnce)(targets.all, job, terminal);
}

async function readOnce(targets: readonly Target[], job: Job, terminal: Terminal): Promise<void> {
  const { schema, request, format } = job;
  const { results, throwFailures } = await everyNode(targets, async ({ name, client, node }) => {
    const view = new CgroupsView();
    for await (const message of client.cgroups(request, { node, signal: terminal.signal }))
      view.accept(message);
    warn(name, view, schema, terminal);
    return view;
  });
  const views = results.map(({ target, result }) => ({ node: target.name, view: result }));
  if (format.kind === 'table') {
    const table = new CgroupsTable(schema, { nodes: targets.length > 1, rates: false });
    if (views.length > 0) await print(terminal.out, table.format(views));
  } else {
    const objects = views.flatMap(({ node, view }) => objectsOf(node, view, schema, { rates: false }));
    await print(terminal.out, await formatObjects(objects, format, { single: false }));
  }
  throwFailures();
}
