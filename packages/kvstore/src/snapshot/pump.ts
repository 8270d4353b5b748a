import { SnapshotDownload } from '@nodecore/native/snapshot';

import { Maintenance } from '../../gen/etcdserverpb.js';
import { isKvstoreError } from '../errors.ts';
import type { Kvstore } from '../kvstore.ts';
import { failureOf } from './answer.ts';
import { type Connected, connectFor, runOver, windowBytes } from './connection.ts';
import { type SnapshotReceiver, Transfer } from './transfer.ts';

export type SnapshotCallOptions = {
  /** The member whose database it is; the first that there is a connection to unless given. */
  readonly endpoint?: string | undefined;
  /** Ends it when the member sends nothing for so long, in milliseconds; 30 s unless given. */
  readonly stallTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

const defaultStallTimeoutMs = 30_000;
/** An empty message: a prefix and nothing. */
const body = new Uint8Array(5);

/** Asks a member for a snapshot, and brings it to the receiver: the database, and its SHA-256 behind it. */
export async function pumpSnapshot(
  kvstore: Kvstore,
  receiver: SnapshotReceiver,
  options: SnapshotCallOptions = {},
): Promise<void> {
  await runOver(await dialAny(kvstore, receiver, options));
}

async function dialAny(
  kvstore: Kvstore,
  receiver: SnapshotReceiver,
  { endpoint: only, signal, stallTimeoutMs = defaultStallTimeoutMs }: SnapshotCallOptions,
): Promise<Connected> {
  let failure: unknown;
  for (const endpoint of only === undefined ? kvstore.endpoints : [only]) {
    const { protocol, host: authority } = new URL(endpoint);
    const { path } = Maintenance.snapshot;
    const request = { scheme: protocol.slice(0, -1), authority, path, body, windowBytes };
    const download = receiver.target?.sink.download(request) ?? new SnapshotDownload(request);
    const transfer = new Transfer(download, receiver, {
      endpoint,
      failureOf: (...end) => failureOf(endpoint, ...end),
      stallTimeoutMs,
      signal,
    });
    try {
      return await connectFor(transfer, (onread) => kvstore.dial(endpoint, { signal, onread }));
    } catch (error) {
      if (!isKvstoreError(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}
