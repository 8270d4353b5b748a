import { listAll, stringify } from '@nodecore/api';
import { formatObjects, print, readFormat, Table, type Terminal } from '@nodecore/cli';
import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { systemDisks } from '../nodes/system-disks.ts';
import { Targets, type Target } from '../nodes/target.ts';
import { type Fields, fieldsOf } from '../output/fields.ts';

export type Flags = GlobalFlags & MaintenanceFlags & { readonly output: string };

/** The columns after NODE and SYSTEM, and the field of a disk each shows. */
const columns = [
  ['disk', 'dev_path'],
  ['size', 'pretty_size'],
  ['transport', 'transport'],
  ['rotational', 'rotational'],
  ['read only', 'readonly'],
  ['model', 'model'],
  ['serial', 'serial'],
  ['wwid', 'wwid'],
  ['error', 'error'],
] as const;

type ShownDisk = Fields & { readonly node: string; readonly id: string; readonly system: boolean };

/** Prints the disks of all nodes. */
export async function printDisks(flags: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, (target) =>
    disksOf(target, terminal.signal),
  );
  const disks = results.flatMap(({ result }) => result);
  if (format.kind === 'table' && results.length > 0) {
    const table = new Table(['node', '', ...columns.map(([header]) => header)]);
    await print(terminal.out, table.format(disks.map(row)));
  } else if (format.kind !== 'table')
    await print(terminal.out, await formatObjects(disks, format, { single: false }));
  throwFailures();
}

async function disksOf({ name, client, node }: Target, signal: AbortSignal): Promise<ShownDisk[]> {
  const options = { node, signal };
  const [disks, system] = await Promise.all([
    listAll(client, { type: 'Disks.block.nodecore.dev' }, options),
    systemDisks(client, options),
  ]);
  return disks.resources.map((resource) => {
    const id = resource.metadata?.id ?? '';
    return { node: name, id, system: system.has(id), ...fieldsOf(resource) };
  });
}

function row(disk: ShownDisk): string[] {
  return [disk.node, disk.system ? '*' : '', ...columns.map(([, field]) => cellOf(disk[field]))];
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : stringify(value);
}
