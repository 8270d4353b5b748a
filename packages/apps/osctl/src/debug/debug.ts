import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { ImageImportRequestInit } from '@nodecore/api/container';
import type { Terminal } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

import { noDebug } from '../outcome.ts';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';

export type DebugFlags = GlobalFlags & {
  readonly args?: readonly string[];
  readonly namespace: 'system' | 'inmem';
};

const pieceBytes = 256 << 10;

/** Brings the image to the node, whose runtime would have to run it. */
export async function debug(image: string, flags: DebugFlags, terminal: Terminal): Promise<void> {
  const { namespace } = flags;
  const isArchive = await isFile(image);
  await onlyNode(flags, terminal, async ({ name, client, node }) => {
    const options = { node, signal: terminal.signal };
    if (isArchive) await client.containers.importImage(piecesOf(image, namespace), options);
    else
      for await (const _progress of client.containers.pullImage({ namespace, reference: image }, options)) {
        // What a runtime says of its layers.
      }
    throw noDebug(name);
  });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

async function* piecesOf(path: string, namespace: string): AsyncGenerator<ImageImportRequestInit> {
  yield { namespace };
  for await (const data of createReadStream(path, { highWaterMark: pieceBytes }))
    yield { data: data as Uint8Array };
}
