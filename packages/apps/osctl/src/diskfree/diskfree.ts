import { type Format, formatObjects, print, readFormat, Table, type Terminal } from '@nodecore/cli';
import type { VolumeSpace } from '@nodecore/api/readings';

import { iecSize } from '../files/iec-size.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';
import { readVolumes } from './volumes.ts';

export type DiskfreeFlags = {
  readonly bytes?: true;
  readonly inodes?: true;
  readonly output: string;
};

type Row = VolumeSpace & { readonly node: string };

const sizes = ['size', 'used', 'available', 'usage'];
const counts = ['inodes', 'iused', 'ifree', '%iused'];

/** Prints how full the volumes of all nodes are. */
export async function diskfree(
  volume: string | undefined,
  flags: DiskfreeFlags & GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    readVolumes(client, volume, { node, signal: terminal.signal }),
  );
  const rows = results.flatMap(({ target, result }) =>
    result.map((each) => ({ node: target.name, ...each })),
  );
  if (results.length > 0) await print(terminal.out, await textOf(rows, format, flags));
  throwFailures();
}

async function textOf(rows: readonly Row[], format: Format, flags: DiskfreeFlags): Promise<string> {
  if (format.kind !== 'table') return await formatObjects(rows, format, { single: false });
  const columns = flags.inodes === true ? counts : sizes;
  const table = new Table(['node', 'volume', 'filesystem', ...columns, 'mount point']);
  return table.format(
    rows.map((row) => {
      const { node, volume, source, target, error } = row;
      const cells = flags.inodes === true ? inodeCells(row) : sizeCells(row, flags.bytes === true);
      return [node, volume, source, ...cells, error === '' ? target : `${target} (${error})`];
    }),
  );
}

function sizeCells({ sizeBytes, usedBytes, availableBytes }: Row, isBytes: boolean): string[] {
  const text = (bytes: bigint | undefined): string =>
    bytes === undefined ? '-' : isBytes ? String(bytes) : iecSize(bytes);
  const whole =
    usedBytes === undefined || availableBytes === undefined ? undefined : usedBytes + availableBytes;
  return [text(sizeBytes), text(usedBytes), text(availableBytes), percent(usedBytes, whole)];
}

function inodeCells({ inodes, inodesFree }: Row): string[] {
  const used = inodes === undefined || inodesFree === undefined ? undefined : inodes - inodesFree;
  return [countText(inodes), countText(used), countText(inodesFree), percent(used, inodes)];
}

function countText(count: bigint | undefined): string {
  return count === undefined ? '-' : String(count);
}

/** Rounded up: full is never shown as less. */
function percent(part: bigint | undefined, whole: bigint | undefined): string {
  if (part === undefined || whole === undefined || whole === 0n) return '-';
  return `${(part * 100n + whole - 1n) / whole}%`;
}
