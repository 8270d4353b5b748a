import type { FileBatch, ListFilesRequestInit } from '@nodecore/api/file';
import { print, printable, readFormat, Table, type Terminal, UsageError } from '@nodecore/cli';

import { ArrayOutput } from '../files/array-output.ts';
import { Failures } from '../files/failures.ts';
import { remotePath } from '../files/remote-path.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';
import { entryObject, longHeaders, longRow, pathText } from './entry.ts';
import { typesOf } from './types.ts';

export type ListFlags = {
  readonly long?: true;
  readonly humanize?: true;
  readonly recurse?: true;
  readonly depth?: number;
  readonly type?: readonly string[];
  readonly oneFileSystem?: true;
  readonly output: string;
};

/** Prints the entries of a tree on all nodes, as they come. */
export async function list(path: string, flags: ListFlags & GlobalFlags, terminal: Terminal): Promise<void> {
  const { long = false, humanize = false, recurse = false, depth, type = [] } = flags;
  if (recurse && depth !== undefined && depth !== 1)
    throw new UsageError('--recurse goes as deep as there is: leave out --depth');
  const format = await readFormat(flags.output);
  const details = long;
  const request: ListFilesRequestInit = {
    root: remotePath(path),
    depth: recurse ? 0 : (depth ?? 1),
    types: [...typesOf(type)],
    details,
    oneFileSystem: flags.oneFileSystem === true,
  };
  await using targets = await Targets.open(flags, terminal);
  const table = new Table(long ? longHeaders(humanize) : ['node', 'name']);
  const isPlain = !long && targets.all.length === 1;
  const output = format.kind === 'table' ? undefined : new ArrayOutput(format, terminal);
  const nowMs = Date.now();
  const show = async (node: string, { entries }: FileBatch): Promise<void> => {
    if (entries.length === 0) return;
    if (output !== undefined) {
      await output.add(entries.map((entry) => entryObject(node, entry, details)));
    } else if (isPlain) {
      await print(terminal.out, entries.map((entry) => `${pathText(entry)}\n`).join(''));
    } else {
      const row = (entry: (typeof entries)[number]): string[] =>
        long ? longRow(node, entry, { humanize, nowMs }) : [printable(node), pathText(entry)];
      await print(terminal.out, table.format(entries.map(row)));
    }
  };
  const failures = new Failures();
  const { throwFailures } = await everyNode(targets.all, async ({ name, client, node }) => {
    for await (const batch of client.files.list(request, { node, signal: terminal.signal })) {
      failures.add(name, batch.failures);
      await show(name, batch);
    }
  });
  await output?.end();
  throwFailures();
  await failures.tell(terminal);
}
