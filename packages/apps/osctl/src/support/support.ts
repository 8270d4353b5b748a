import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';

import {
  print,
  printFound,
  readFormat,
  shortSize,
  showProgress,
  Table,
  type Terminal,
  UsageError,
} from '@nodecore/cli';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { writeBundle } from './bundle.ts';

export type SupportFlags = GlobalFlags &
  MaintenanceFlags & {
    /** A file, or a directory for the files of several nodes. */
    readonly output?: string;
    readonly numWorkers: number;
    readonly json?: true;
  };

/** Writes an archive for each node, all at once. What could not be had is listed at the end, and fails nothing. */
export async function saveSupport(flags: SupportFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.json === true ? 'json' : 'table');
  await using targets = await Targets.open(flags, terminal);
  const paths = await pathsOf(targets.all, flags.output);
  const names = targets.all.map(({ name }) => name);
  const { results, throwFailures } = await showProgress(names, terminal, (tell) =>
    everyNode(targets.all, (target) =>
      writeBundle(target, {
        path: paths.get(target) ?? '',
        workers: flags.numWorkers,
        tell: (done, total) =>
          tell(target.name, `${done} of ${total}`, { what: 'collectors', percent: (done * 100) / total }),
        signal: terminal.signal,
      }),
    ),
  );
  const bundles = results.map(({ target, result }) => ({ node: target.name, ...result }));
  const errors = bundles.flatMap(({ node, errors: all }) => all.map((each) => ({ node, ...each })));
  await printFound(terminal, format, bundles, {
    single: false,
    text: () =>
      new Table(['node', 'file', 'size', 'entries', 'errors']).format(
        bundles.map(({ node, file, bytes, entries, errors: { length } }) => [
          node,
          file,
          shortSize(BigInt(bytes)),
          String(entries),
          String(length),
        ]),
      ),
  });
  if (errors.length > 0)
    await print(
      terminal.error,
      new Table(['node', 'source', 'error']).format(
        errors.map(({ node, source, error }) => [node, source, error]),
      ),
    );
  throwFailures();
}

/** Where the archive of each node goes. @throws {UsageError} for a file that is there, before any node is asked. */
async function pathsOf(targets: readonly Target[], output: string | undefined): Promise<Map<Target, string>> {
  const directory = output === undefined ? '.' : (await isDirectory(output)) ? output : undefined;
  if (directory === undefined && targets.length > 1)
    throw new UsageError(`there are ${targets.length} nodes: name a directory with -O`);
  const paths = new Map(
    targets.map((target) => [
      target,
      directory === undefined ? (output ?? '') : join(directory, fileName(target.name)),
    ]),
  );
  if (new Set(paths.values()).size < targets.length)
    throw new UsageError('two of the nodes have the same name');
  for (const path of paths.values())
    if (await exists(path)) throw new UsageError(`${path} exists; name another file with -O`);
  return paths;
}

function fileName(node: string): string {
  return `support-${node.replaceAll(/[^\w.-]/gu, '_')}.zip`;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Also a link to nowhere is there. */
async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
