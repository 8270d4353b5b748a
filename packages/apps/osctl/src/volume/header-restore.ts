import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { RestoreHeaderRequestInit } from '@nodecore/api/volume';
import {
  confirm,
  print,
  printable,
  printFound,
  readFormat,
  type Terminal,
  UsageError,
  wordsOfErrno,
} from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';

export type Flags = GlobalFlags & { readonly yes?: true; readonly force?: true; readonly output: string };

/** What one message holds; a header is 16 MiB as a rule. */
const pieceBytes = 1 << 20;

/** Sends a saved header to the node, which checks it, and tries the configured keys on it, before it writes. */
export async function restoreHeader(
  volume: string,
  path: string,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await requireFile(path);
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const question = `replace the header of ${volume} on ${name}? Keys that are not in ${path} are lost`;
    if (flags.yes !== true && !(await confirm(terminal, question))) return;
    const requests = pieces({ volume, force: flags.force === true }, path);
    const { uuid } = await client.restoreHeader(requests, { node, signal: terminal.signal });
    await print(
      terminal.error,
      `${name}: ${volume} has the header of ${path} again, UUID ${printable(uuid)}\n`,
    );
    const restored = { node: name, volume, file: path, uuid };
    await printFound(terminal, format, [restored], { single: true, text: () => '' });
  });
}

/** Before anything is asked or sent. */
async function requireFile(path: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new UsageError(`${path}: ${wordsOfErrno(code)}; name what header-backup has saved`);
  }
  throw new UsageError(`${path} is no file; name what header-backup has saved`);
}

async function* pieces(
  first: RestoreHeaderRequestInit,
  path: string,
): AsyncGenerator<RestoreHeaderRequestInit> {
  yield first;
  for await (const data of createReadStream(path, { highWaterMark: pieceBytes }))
    yield { data: data as Buffer };
}
