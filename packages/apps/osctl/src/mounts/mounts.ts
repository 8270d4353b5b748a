import type { Mount } from '@nodecore/api/machine';
import { formatObjects, print, readFormat, Table, type Terminal } from '@nodecore/cli';
import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';

export type Flags = GlobalFlags & MaintenanceFlags & { readonly all?: true; readonly output: string };

const headers = [
  'node',
  'filesystem',
  'type',
  'size(GB)',
  'used(GB)',
  'available(GB)',
  'percent used',
  'inodes used',
  'mounted on',
  'options',
];

/** Prints the mounts of all nodes. */
export async function printMounts(flags: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, (target) =>
    target.client.mounts({ node: target.node, signal: terminal.signal }),
  );
  const mounts = results.flatMap(({ target, result }) =>
    result.mounts.map((mount) => ({ node: target.name, ...mount })),
  );
  if (format.kind === 'table' && results.length > 0) {
    const shown = mounts.filter((mount) => flags.all === true || hasSize(mount) || mount.error !== '');
    await print(terminal.out, new Table(headers).format(shown.map((mount) => row(mount.node, mount))));
  } else if (format.kind !== 'table')
    await print(terminal.out, await formatObjects(mounts, format, { single: false }));
  throwFailures();
}

function hasSize({ sizeBytes }: Mount): boolean {
  return sizeBytes !== undefined && sizeBytes > 0n;
}

function row(node: string, mount: Mount): string[] {
  const { source, target, type, options, sizeBytes, usedBytes, availableBytes, error } = mount;
  return [
    node,
    source,
    type,
    gigabytes(sizeBytes),
    gigabytes(usedBytes),
    gigabytes(availableBytes),
    // As df(1): of what is there for unprivileged writers.
    percent(
      usedBytes,
      usedBytes === undefined || availableBytes === undefined ? undefined : usedBytes + availableBytes,
    ),
    inodesUsed(mount),
    target,
    error === '' ? options.join(',') : error,
  ];
}

function gigabytes(bytes: bigint | undefined): string {
  return bytes === undefined ? '-' : (Number(bytes) / 1e9).toFixed(2);
}

function inodesUsed({ inodes, inodesFree }: Mount): string {
  return inodes === undefined || inodesFree === undefined ? '-' : percent(inodes - inodesFree, inodes);
}

/** Rounded up: full is never shown as less. */
function percent(part: bigint | undefined, whole: bigint | undefined): string {
  if (part === undefined || whole === undefined || whole === 0n) return '-';
  return `${(part * 100n + whole - 1n) / whole}%`;
}
