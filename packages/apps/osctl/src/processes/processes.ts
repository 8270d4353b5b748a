import { type Format, formatObjects, print, readFormat, type Terminal } from '@nodecore/cli';
import { type Sampled, Samples, type Sort, sorted } from '@nodecore/api/readings';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { again } from '../nodes/again.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { LiveTable } from '../output/live-table.ts';
import { type NodeProcesses, processTable } from './output.ts';

export type ProcessesFlags = GlobalFlags &
  MaintenanceFlags & {
    readonly sort: Sort;
    readonly watch?: true;
    readonly interval?: number;
    readonly output: string;
  };

type Job = { readonly sort: Sort; readonly format: Format; readonly terminal: Terminal };

const defaultIntervalMs = 3_000;

/** Prints what runs on nodes, once or again and again. */
export async function showProcesses(flags: ProcessesFlags, terminal: Terminal): Promise<void> {
  const { sort, watch, interval = defaultIntervalMs } = flags;
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const job = { sort, format, terminal };
  await (watch === true ? watchProcesses(targets.all, job, interval) : listProcesses(targets.all, job));
}

async function listProcesses(targets: readonly Target[], { sort, format, terminal }: Job): Promise<void> {
  const { results, throwFailures } = await everyNode(targets, async ({ client, node }) => {
    const samples = new Samples();
    let found: readonly Sampled[] = [];
    for await (const answer of client.activity.processes({}, { node, signal: terminal.signal }))
      found = samples.add(answer) ?? found;
    return found;
  });
  const all = results.map(({ target, result }) => ({ node: target.name, processes: result }));
  if (format.kind !== 'table') {
    const objects = all.flatMap((each) => objectsOf(each, sort));
    await print(terminal.out, await formatObjects(objects, format, { single: false }));
  } else if (all.length > 0) await print(terminal.out, processTable(all, sort, false));
  throwFailures();
}

async function watchProcesses(targets: readonly Target[], job: Job, intervalMillis: number): Promise<void> {
  const { sort, format, terminal } = job;
  const live = new LiveTable<NodeProcesses>({
    nodes: targets.map(({ name }) => name),
    format,
    terminal,
    table: (all) => processTable(all, sort, true),
    objects: (found) => objectsOf(found, sort),
  });
  const { throwFailures } = await everyNode(targets, async ({ name, client, node }) => {
    let samples = new Samples();
    const begin = (): ReturnType<typeof client.activity.processes> => {
      samples = new Samples(); // half a sample of a lost connection is none
      return client.activity.processes({ intervalMillis }, { node, signal: terminal.signal });
    };
    for await (const answer of again(begin, terminal)) {
      const processes = samples.add(answer);
      if (processes !== undefined) await live.show({ node: name, processes });
    }
  });
  throwFailures();
}

function objectsOf({ node, processes }: NodeProcesses, sort: Sort): readonly object[] {
  return sorted(processes, sort).map((each) => ({ node, ...each }));
}
