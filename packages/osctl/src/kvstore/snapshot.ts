import type { KvstoreSnapshotReport, KvstoreSnapshotResponse, Slices } from '@nodecore/api';
import type { ReceiveSnapshotOptions, SnapshotInfo } from '@nodecore/kvstore/verify';

import { UsageError } from '../errors.ts';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { readFormat } from '../output/format.ts';
import { formatObjects } from '../output/objects.ts';
import { print, type Terminal } from '../terminal.ts';
import { showProgress, type Tell } from '../volume/progress.ts';
import { SnapshotMismatchError } from './errors.ts';
import { TransferBar } from './transfer-bar.ts';

export type Flags = GlobalFlags & { readonly output: string; readonly force?: true };

/** Saves the database of one node. What fails, or is not what the node says that it sent, leaves no file. */
export async function saveSnapshot(path: string, flags: Flags, terminal: Terminal): Promise<void> {
  if (path === '-') throw new UsageError('a snapshot is proven before it is kept: name a file');
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const { signal } = terminal;
    const info = await showProgress([name], terminal, (tell) =>
      receive(client.kvstore.snapshot({ node, signal }), {
        path,
        replace: flags.force === true,
        signal,
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
  readonly signal: AbortSignal;
  readonly tell: ReceiveSnapshotOptions['onProgress'];
};

async function receive(
  answers: AsyncIterable<Slices<KvstoreSnapshotResponse>>,
  { path, replace, signal, tell }: ReceiveOptions,
): Promise<SnapshotInfo> {
  const iterator = answers[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    // The addon is loaded while data comes: that takes a fifth of the start.
    const { isKvstoreError, KvstoreError, receiveSnapshot } = await import('@nodecore/kvstore/verify');
    const parts = new Parts(iterator, first.done === true ? undefined : first.value);
    return await receiveSnapshot(parts.data(path), {
      file: path,
      totalBytes: parts.totalBytes,
      replace,
      signal,
      onProgress: tell,
    }).catch((error: unknown) => {
      if (!isKvstoreError(error, 'ERR_KVSTORE_FILE_EXISTS')) throw error;
      throw new KvstoreError(error.code, path, 'is there already; name another file, or give --force');
    });
  } finally {
    await iterator.return?.();
  }
}

type Answers = AsyncIterator<Slices<KvstoreSnapshotResponse>>;

/** The data of a snapshot's messages. Ends well only when the node's report came and says the same as the data. */
class Parts {
  readonly #iterator: Answers;
  #next: Slices<KvstoreSnapshotResponse> | undefined;

  constructor(iterator: Answers, first: Slices<KvstoreSnapshotResponse> | undefined) {
    this.#iterator = iterator;
    this.#next = first;
  }

  /** Undefined when data came before it. */
  get totalBytes(): bigint | undefined {
    return this.#next?.pieces.length === 0 ? this.#next.rest?.totalBytes : undefined;
  }

  async *data(path: string): AsyncGenerator<readonly Uint8Array[], void, undefined> {
    let report: KvstoreSnapshotReport | undefined;
    const ending = new Ending();
    while (this.#next !== undefined) {
      const { pieces, rest } = this.#next;
      ending.add(pieces);
      yield pieces;
      report = rest?.report ?? report;
      const { done, value } = await this.#iterator.next();
      this.#next = done === true ? undefined : value;
    }
    if (report === undefined) throw new SnapshotMismatchError(path, 'the node sent no report of it');
    if (report.sha256 !== ending.bytes.toString('hex'))
      throw new SnapshotMismatchError(path, 'the node reports another SHA-256 than that of what arrived');
  }
}

/** SHA-256 of the database, which etcd puts behind it; that it is so is proven when the file is. */
const digestBytes = 32;

/** The last bytes of what comes in pieces. */
class Ending {
  /** The last pieces: as many as have all of those bytes. */
  #last: readonly Uint8Array[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.#last).subarray(-digestBytes);
  }

  add(pieces: readonly Uint8Array[]): void {
    const all = [...this.#last, ...pieces];
    let first = all.length;
    for (let bytes = 0; first > 0 && bytes < digestBytes; bytes += all[first]!.length) first -= 1;
    this.#last = all.slice(first);
  }
}

/** A function for progress that shows it as a bar of the node's. */
export function tellBar(tell: Tell, name: string, terminal: Terminal): ReceiveOptions['tell'] {
  const bar = new TransferBar(terminal);
  return (progress) => {
    const line = bar.after(progress);
    if (line !== undefined) tell(name, line);
  };
}
