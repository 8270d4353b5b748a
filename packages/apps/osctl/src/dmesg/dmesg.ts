import type { DmesgRequestInit, KernelLogRecord } from '@nodecore/api/kernel-log';
import {
  type Format,
  formatObjects,
  formatStreamed,
  print,
  printable,
  readFormat,
  type Terminal,
  UsageError,
} from '@nodecore/cli';

import type { MaintenanceFlags } from '../flags.ts';
import { again } from '../nodes/again.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { goingOn } from './follow.ts';

export type DmesgFlags = MaintenanceFlags & {
  readonly follow: boolean;
  readonly tail?: true;
  /** Milliseconds. */
  readonly since?: number;
  readonly level?: readonly string[];
  readonly output: string;
};

/** As wide as the longest, warning. */
const priorityWidth = 7;

/** Prints the log of the kernels of nodes. */
export async function dmesg(flags: DmesgFlags, terminal: Terminal): Promise<void> {
  const { follow, tail = false, since = 0, level = [] } = flags;
  if (tail && !follow) throw new UsageError('--tail waits for what comes: use it with --follow');
  if (tail && since > 0)
    throw new UsageError('--tail leaves out the past, and --since asks for it: use one of them');
  const format = await readFormat(flags.output);
  const request = { follow, tail, sinceSeconds: Math.ceil(since / 1000), priorities: [...level] };
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, (target) =>
    read(target, { request, format, terminal }),
  );
  // One list of all nodes, where it ends.
  if (!follow && format.kind !== 'table')
    await print(
      terminal.out,
      await formatObjects(
        results.flatMap(({ result }) => result),
        format,
        { single: false },
      ),
    );
  throwFailures();
}

type Reading = { readonly request: DmesgRequestInit; readonly format: Format; readonly terminal: Terminal };

/** Prints records as they come; @returns those that are printed at the end. */
async function read(target: Target, { request, format, terminal }: Reading): Promise<readonly object[]> {
  const { name } = target;
  const found: object[] = [];
  const begin = goingOn(target, request, terminal.signal);
  for await (const { records, lost } of request.follow === true ? again(begin, terminal) : begin()) {
    if (format.kind === 'table') {
      const gap = lost > 0n ? [`${printable(name)}: (${lost} lines were overwritten)\n`] : [];
      await print(terminal.out, [...gap, ...records.map((record) => lineOf(name, record))].join(''));
    } else if (request.follow === true)
      for (const record of records)
        await print(terminal.out, await formatStreamed(objectOf(name, record), format));
    else found.push(...records.map((record) => objectOf(name, record)));
  }
  return found;
}

function lineOf(node: string, record: KernelLogRecord): string {
  const { facility, priority, message } = record;
  const words = `${facility}: ${priority.padStart(priorityWidth)}: [${timeOf(record)}]: ${message}`;
  return `${printable(node)}: ${printable(words)}\n`;
}

function objectOf(node: string, record: KernelLogRecord): object {
  const { sequence, clockMicros, facility, priority, message } = record;
  return { node, time: timeOf(record), sequence, clockMicros, facility, priority, message };
}

/** RFC 3339 with microseconds. */
function timeOf({ timeMicros }: KernelLogRecord): string {
  const seconds = new Date(Number(timeMicros / 1000n)).toISOString().slice(0, -1);
  return `${seconds}${String(timeMicros % 1000n).padStart(3, '0')}Z`;
}
