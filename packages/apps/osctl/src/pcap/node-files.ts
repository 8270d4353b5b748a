import { type FileHandle, lstat, open, rm } from 'node:fs/promises';

import type { CaptureFileStatus } from '@nodecore/api/capture';
import {
  formatObjects,
  print,
  shortSize,
  Table,
  type Terminal,
  UsageError,
  wordsOfErrno,
} from '@nodecore/cli';
import { writeFileAtomic } from '@nodecore/sys';
import { codeOf } from '@nodecore/sys/pure';

import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets, type Target } from '../nodes/target.ts';
import type { PcapFlags } from './options.ts';

/** Lists, fetches or removes what captures have left on nodes. */
export async function keepFiles(flags: PcapFlags & GlobalFlags, terminal: Terminal): Promise<void> {
  const { listOnNode, fetchFromNode: fetched, removeOnNode: removed, output } = flags;
  const asked = [listOnNode, fetched, removed].filter((flag) => flag !== undefined);
  if (asked.length > 1 || flags.writeOnNode !== undefined)
    throw new UsageError(
      'one of --list-on-node, --fetch-from-node, --remove-on-node, --write-on-node at a time',
    );
  if (fetched !== undefined && output === undefined)
    throw new UsageError('--fetch-from-node goes with -o <file>, or -o - for standard output');
  await using targets = await Targets.open(flags, terminal);
  if (fetched !== undefined && targets.all.length > 1)
    throw new UsageError('a file comes from one node; name it with -n <node>');
  const { results, throwFailures } = await everyNode(targets.all, async (target) => {
    if (fetched !== undefined) await fetchFile(target, fetched, flags, terminal);
    else if (removed !== undefined) await remove(target, removed, terminal.signal);
    else return await list(target, terminal.signal);
    return [];
  });
  if (listOnNode === true && flags.json === true) {
    const files = results.flatMap(({ target, result }) =>
      result.map((file) => ({ node: target.name, ...shown(file) })),
    );
    await print(terminal.out, await formatObjects(files, { kind: 'json' }, { single: false }));
  } else if (listOnNode === true) {
    const table = new Table(['node', 'name', 'size', 'modified']);
    const rows = results.flatMap(({ target, result }) => result.map((file) => [target.name, ...row(file)]));
    if (rows.length > 0) await print(terminal.out, table.format(rows));
  }
  throwFailures();
}

async function list({ client, node }: Target, signal: AbortSignal): Promise<readonly CaptureFileStatus[]> {
  return (await client.captureFiles({ node, signal })).files;
}

function shown({ name, sizeBytes, modifiedMillis }: CaptureFileStatus): object {
  return { name, sizeBytes, modified: new Date(Number(modifiedMillis)).toISOString() };
}

function row({ name, sizeBytes, modifiedMillis }: CaptureFileStatus): readonly string[] {
  return [name, shortSize(sizeBytes), new Date(Number(modifiedMillis)).toISOString()];
}

async function remove({ client, node }: Target, name: string, signal: AbortSignal): Promise<void> {
  await client.removeCaptureFile({ name }, { node, signal });
}

async function fetchFile(
  { client, node }: Target,
  name: string,
  { output = '-', force }: PcapFlags,
  { out, signal }: Terminal,
): Promise<void> {
  const pieces = client.readCaptureFile({ name }, { node, signal });
  if (output === '-') {
    for await (const { data } of pieces) await print(out, data);
    return;
  }
  if (force === true) {
    await assertReplaceable(output);
    await writeFileAtomic(output, dataOf(pieces)); // what was there stays until the whole of it is here
    return;
  }
  await using file = await create(output);
  try {
    for await (const { data } of pieces) await file.appendFile(data);
  } catch (error) {
    await rm(output, { force: true }); // half a capture looks like a whole one
    throw error;
  }
}

async function* dataOf(pieces: AsyncIterable<{ readonly data: Uint8Array }>): AsyncGenerator<Uint8Array> {
  for await (const { data } of pieces) yield data;
}

/** Only what is a regular file, or a link, is replaced: a device was hardly meant to go. */
async function assertReplaceable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile() && !found.isSymbolicLink())
    throw new UsageError(`${path} is no regular file, and nothing else is replaced; choose another -o`);
}

/** For its owner only, as captures are. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST')
      throw new UsageError(`${path} is there already; choose another -o, or replace it with --force`);
    throw code === undefined ? error : new UsageError(`${path}: ${wordsOfErrno(code)}; choose another -o`);
  }
}
