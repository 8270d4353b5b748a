import { PressureSort, type PressureRequestInit, type PressureResponse } from '@nodecore/api/cgroup';

import { type Format, formatObjects, print, readFormat, type Terminal } from '@nodecore/cli';
import type { GlobalFlags } from '../flags.ts';
import { again } from '../nodes/again.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets, type Target } from '../nodes/target.ts';
import { LiveTable } from '../output/live-table.ts';
import { type Figure, type NodePressure, objectsOf, pressureTable } from './output.ts';

type Sort = 'any' | 'cpu' | 'memory' | 'io' | 'irq';

export type PressureFlags = {
  readonly top: number;
  readonly sort: Sort;
  readonly average?: '10' | '60' | '300';
  readonly skipCriResolve?: true;
  readonly watch?: true;
  readonly interval?: number;
  readonly output: string;
};

const sorts: Readonly<Record<Sort, PressureSort>> = {
  any: PressureSort.UNSPECIFIED,
  cpu: PressureSort.CPU,
  memory: PressureSort.MEMORY,
  io: PressureSort.IO,
  irq: PressureSort.IRQ,
};

const averages: Readonly<Record<'10' | '60' | '300', Figure>> = { 10: 'avg10', 60: 'avg60', 300: 'avg300' };

type Job = { readonly request: PressureRequestInit; readonly format: Format; readonly figure: Figure };

/** Prints who stalls on all nodes, once or again and again. */
export async function showPressure(flags: PressureFlags & GlobalFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const { top, sort, average, watch, interval = 1000 } = flags;
  const figure = average === undefined ? (watch === true ? 'recent' : 'avg10') : averages[average];
  const request = {
    top,
    sort: sorts[sort],
    names: flags.skipCriResolve !== true,
    intervalMillis: watch === true ? interval : 0,
  };
  await using targets = await Targets.open(flags, terminal);
  const job = { request, format, figure };
  await (watch === true ? watchPressure : readOnce)(targets.all, job, terminal);
}

async function readOnce(targets: readonly Target[], job: Job, terminal: Terminal): Promise<void> {
  const { request, format, figure } = job;
  const { results, throwFailures } = await everyNode(targets, async ({ name, client, node }) => {
    const responses: PressureResponse[] = [];
    const options = { node, signal: terminal.signal, timeoutMs: 30_000 };
    for await (const response of client.pressure(request, options)) responses.push(response);
    return responses.map((response) => ({ node: name, response }));
  });
  const all = results.flatMap(({ result }) => result);
  if (format.kind !== 'table')
    await print(terminal.out, await formatObjects(all.flatMap(objectsOf), format, { single: false }));
  else if (all.length > 0) await print(terminal.out, pressureTable(all, figure));
  throwFailures();
}

async function watchPressure(targets: readonly Target[], job: Job, terminal: Terminal): Promise<void> {
  const { request, format, figure } = job;
  const live = new LiveTable<NodePressure>({
    nodes: targets.map(({ name }) => name),
    format,
    terminal,
    table: (all) => pressureTable(all, figure),
    objects: objectsOf,
  });
  const { throwFailures } = await everyNode(targets, async ({ name, client, node }) => {
    const call = () => client.pressure(request, { node, signal: terminal.signal });
    for await (const response of again(call, terminal)) {
      // The first one of a call has nothing before it; the next comes within a second.
      const line = response.system?.cpu?.some ?? response.system?.memory?.some;
      if (figure !== 'recent' || line?.recent !== undefined) await live.show({ node: name, response });
    }
  });
  throwFailures();
}
