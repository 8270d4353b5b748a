import type { Process } from '@nodecore/api/process';
import { shortSize, Table } from '@nodecore/cli';

import type { Sampled } from './samples.ts';

export type NodeProcesses = { readonly node: string; readonly processes: readonly Sampled[] };

export type Sort = 'rss' | 'cpu';

/** Each node's in their order; with `rates` the share of a processor, too. */
export function processTable(all: readonly NodeProcesses[], sort: Sort, rates: boolean): string {
  const headers = ['node', 'pid', 'state', 'threads', 'cpu-time', 'virtmem', 'resmem', 'label', 'command'];
  if (rates) headers.splice(5, 0, 'cpu%');
  const rows = all.flatMap(({ node, processes }) =>
    sorted(processes, sort).map((each) => {
      const { pid, state, threads, cpuTime, cpuPercent, virtualMemory, residentMemory, label } = each;
      const row = [node, String(pid), state, String(threads), cpuTime.toFixed(2)];
      if (rates) row.push(cpuPercent === undefined ? '-' : cpuPercent.toFixed(1));
      return [...row, shortSize(virtualMemory), shortSize(residentMemory), label, commandOf(each)];
    }),
  );
  return new Table(headers).format(rows);
}

/** Most first; of equal ones the lower number. */
export function sorted(processes: readonly Sampled[], sort: Sort): readonly Sampled[] {
  const weight = ({ residentMemory, cpuPercent, cpuTime }: Sampled): number =>
    sort === 'rss' ? Number(residentMemory) : (cpuPercent ?? cpuTime);
  return processes.toSorted((a, b) => weight(b) - weight(a) || a.pid - b.pid);
}

/** The executable with the arguments; what has none by the name that it gives itself. */
export function commandOf({ executable, args, command, kernelThread }: Process): string {
  if (kernelThread) return `[${command}]`;
  const [first = '', ...rest] = args;
  const name = executable === '' ? first : executable;
  return name === '' ? `(${command})` : [name, ...rest].join(' ');
}
