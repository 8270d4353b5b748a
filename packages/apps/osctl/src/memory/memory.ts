import type { MemoryResponse, MemoryValue } from '@nodecore/api/stat';
import { formatObjects, print, printable, readFormat, Table, type Terminal } from '@nodecore/cli';
import { type MemoryUse, useOf } from '@nodecore/api/readings';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';

export type MemoryFlags = GlobalFlags &
  MaintenanceFlags & { readonly verbose?: true; readonly output: string };

const headers = ['node', 'total', 'used', 'free', 'shared', 'buffers', 'cache', 'available'];

type NodeMemory = { readonly node: string; readonly values: readonly MemoryValue[] };

/** Prints the memory of nodes. */
export async function showMemory(flags: MemoryFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    client.counters.memory({ node, signal: terminal.signal }),
  );
  const all = results.map(({ target, result }: { target: { name: string }; result: MemoryResponse }) => ({
    node: target.name,
    values: result.values,
  }));
  const isVerbose = flags.verbose === true;
  if (format.kind !== 'table')
    await print(
      terminal.out,
      await formatObjects(all.map(isVerbose ? everything : shown), format, { single: false }),
    );
  else if (all.length > 0)
    await print(
      terminal.out,
      isVerbose ? all.map(lines).join('\n') : new Table(headers).format(all.map(row)),
    );
  throwFailures();
}

/** As `/proc/meminfo` has it, behind the node. */
function lines({ node, values }: NodeMemory): string {
  const each = values.map(({ name, value, unit }) =>
    `${printable(name)}: ${value} ${printable(unit)}`.trimEnd(),
  );
  return [`node: ${printable(node)}`, ...each, ''].join('\n');
}

function everything({ node, values }: NodeMemory): object {
  return { node, values };
}

function shown({ node, values }: NodeMemory): object {
  return { node, ...useOf(values) };
}

function row({ node, values }: NodeMemory): string[] {
  const use = useOf(values);
  const order: readonly (keyof MemoryUse)[] = [
    'totalBytes',
    'usedBytes',
    'freeBytes',
    'sharedBytes',
    'buffersBytes',
    'cacheBytes',
    'availableBytes',
  ];
  return [node, ...order.map((key) => mebibytes(use[key]))];
}

/** A dash is what this kernel does not say. Cut, as free(1) does. */
function mebibytes(bytes: bigint | undefined): string {
  return bytes === undefined ? '-' : String(bytes >> 20n);
}
