import { kvstoreSnapshotLayout, type LentCall } from '@nodecore/api';
import {
  formatObjects,
  print,
  readFormat,
  showProgress,
  type Tell,
  type Terminal,
  TransferBar,
  UsageError,
} from '@nodecore/cli';
import type { ReceiveSnapshotCallOptions, SnapshotInfo } from '@nodecore/kvstore/verify';

import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';

export type Flags = GlobalFlags & { readonly output: string; readonly force?: true };

/** Saves the database of one node. What fails, or is not what etcd sent, leaves no file. */
export async function saveSnapshot(path: string, flags: Flags, terminal: Terminal): Promise<void> {
  if (path === '-') throw new UsageError('a snapshot is proven before it is kept: name a file');
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const { signal } = terminal;
    const info = await showProgress([name], terminal, (tell) =>
      receive(client.kvstore.snapshot({ node, signal }), {
        path,
        replace: flags.force === true,
        tell: tellBar(tell, name, terminal),
      }),
    );
    if (format.kind === 'table') {
      await print(terminal.out, `kvstore snapshot saved to "${path}" (${info.fileBytes} bytes)\n`);
      await print(terminal.out, `snapshot info: ${inWords(info)}\n`);
    } else await print(terminal.out, await formatObjects([{ node: name, path, ...info }], format, one));
  });
}

const one = { single: true };

/** `hash 12ab34cd, revision 7, total keys 12, total size 20480` */
export function inWords({ hash, revision, totalKeys, totalBytes }: SnapshotInfo): string {
  const digits = hash.toString(16).padStart(8, '0');
  return `hash ${digits}, revision ${revision}, total keys ${totalKeys}, total size ${totalBytes}`;
}

type ReceiveOptions = {
  readonly path: string;
  readonly replace: boolean;
  readonly tell: ReceiveSnapshotCallOptions['onProgress'];
};

async function receive(call: LentCall, { path, replace, tell }: ReceiveOptions): Promise<SnapshotInfo> {
  const { isKvstoreError, KvstoreError, receiveSnapshotCall } = await import('@nodecore/kvstore/verify');
  return await receiveSnapshotCall(call, {
    file: path,
    replace,
    layout: kvstoreSnapshotLayout,
    onProgress: tell,
  }).catch((error: unknown) => {
    if (!isKvstoreError(error, 'ERR_KVSTORE_FILE_EXISTS')) throw error;
    throw new KvstoreError(error.code, path, 'is there already; name another file, or give --force');
  });
}

/** A function for progress that shows it as a bar of the node's. */
export function tellBar(tell: Tell, name: string, terminal: Terminal): ReceiveOptions['tell'] {
  const bar = new TransferBar(terminal);
  return (progress) => {
    const line = bar.after(progress);
    if (line !== undefined) tell(name, line);
  };
}
