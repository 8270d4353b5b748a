import type {
  CgroupName,
  PressureLine,
  PressureReading,
  PressureResponse,
  ResourcePressure,
} from '@nodecore/api/cgroup';
import { Table } from '@nodecore/cli';

export type NodePressure = { readonly node: string; readonly response: PressureResponse };

/** Percent of which time: the last 10, 60 or 300 seconds, or since the response before. */
export type Figure = 'avg10' | 'avg60' | 'avg300' | 'recent';

const cells = [
  ['cpu some', 'cpu', 'some'],
  ['cpu full', 'cpu', 'full'],
  ['memory some', 'memory', 'some'],
  ['memory full', 'memory', 'full'],
  ['io some', 'io', 'some'],
  ['io full', 'io', 'full'],
  ['irq full', 'irq', 'full'],
] as const;

/** A row for each node as a whole, and below it its cgroups; a dash is what the kernel doesn't account. */
export function pressureTable(all: readonly NodePressure[], figure: Figure): string {
  const rows = all.flatMap(({ node, response: { system, cgroups } }) => [
    [node, '(node)', '', ...cellsOf(system, figure)],
    ...cgroups.map(({ path, name, pressure }) => [
      node,
      shortPath(path),
      nameCell(name),
      ...cellsOf(pressure, figure),
    ]),
  ]);
  return new Table(['node', 'cgroup', 'name', ...cells.map(([header]) => header)]).format(rows);
}

function cellsOf(reading: PressureReading | undefined, figure: Figure): string[] {
  return cells.map(([, resource, kind]) => {
    const percent = reading?.[resource]?.[kind]?.[figure];
    return percent === undefined ? '-' : percent.toFixed(2);
  });
}

/** Shortens the ids of containers and pods; structured output has them whole. */
function shortPath(path: string): string {
  return path
    .replaceAll(/([0-9a-f]{12})[0-9a-f]{52}/g, '$1…')
    .replaceAll(/(pod[0-9a-f]{8})(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}/g, '$1…');
}

/** Only of pods and containers: the path of any other cgroup has its name already. */
function nameCell(name: CgroupName | undefined): string {
  return name?.kind === 'pod' || name?.kind === 'container' ? name.name : '';
}

type ShownLine = {
  readonly avg10: number;
  readonly avg60: number;
  readonly avg300: number;
  readonly totalUs: bigint;
  readonly recent?: number;
};
type Kinds = { readonly some?: ShownLine; readonly full?: ShownLine };

/** Structured output: the node as a whole has no `cgroup`; what the kernel doesn't account is left out. */
export type ShownPressure = {
  readonly node: string;
  readonly cgroup?: string;
  readonly name?: CgroupName;
  readonly pressure: Readonly<Partial<Record<'cpu' | 'memory' | 'io' | 'irq', Kinds>>>;
};

/** The node as a whole first, then its cgroups as the node sorted them; averages in percent, totals in µs. */
export function objectsOf({ node, response: { system, cgroups } }: NodePressure): readonly ShownPressure[] {
  return [
    { node, pressure: shownReading(system) },
    ...cgroups.map(({ path, name, pressure }) => ({
      node,
      cgroup: path,
      ...(name !== undefined && { name }),
      pressure: shownReading(pressure),
    })),
  ];
}

function shownReading(reading: PressureReading | undefined): ShownPressure['pressure'] {
  const { cpu, memory, io, irq } = reading ?? {};
  return {
    ...(cpu && { cpu: kindsOf(cpu) }),
    ...(memory && { memory: kindsOf(memory) }),
    ...(io && { io: kindsOf(io) }),
    ...(irq && { irq: kindsOf(irq) }),
  };
}

function kindsOf({ some, full }: ResourcePressure): Kinds {
  return { ...(some && { some: shownLine(some) }), ...(full && { full: shownLine(full) }) };
}

function shownLine({ avg10, avg60, avg300, totalMicros, recent }: PressureLine): ShownLine {
  return { avg10, avg60, avg300, totalUs: totalMicros, ...(recent !== undefined && { recent }) };
}
