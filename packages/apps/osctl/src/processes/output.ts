import { shortSize, Table } from '@nodecore/cli';
import { commandOf, type Sampled, type Sort, sorted } from '@nodecore/api/readings';

export type NodeProcesses = { readonly node: string; readonly processes: readonly Sampled[] };

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
