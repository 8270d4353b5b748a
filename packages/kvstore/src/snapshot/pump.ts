import type { Socket } from 'node:net';

import { Maintenance } from '../../gen/etcdserverpb.js';
import { isKvstoreError } from '../errors.ts';
import type { Kvstore } from '../kvstore.ts';
import { type SnapshotReceiver, Transfer } from './transfer.ts';

export type SnapshotCallOptions = {
  /** The member whose database it is; the first that there is a connection to unless given. */
  readonly endpoint?: string | undefined;
  /** Ends it when the member sends nothing for so long, in milliseconds; 30 s unless given. */
  readonly stallTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * 2 MiB keep the server busy; 8 are safe. Of both windows: the smaller one counts.
 *
 * @see docs/decisions/snapshot-stream.md
 */
const windowBytes = 8 << 20;
/**
 * What one read of the connection takes. Small enough to be in the processor's cache when it is looked at, and for thirty
 * in a row, as many as libuv makes, to delay nobody.
 */
const readBytes = 128 << 10;
const defaultStallTimeoutMs = 30_000;
/** An empty message: a prefix and nothing. */
const body = new Uint8Array(5);

/** Asks a member for a snapshot, and brings it into the sink: the database, and its SHA-256 behind it. */
export async function pumpSnapshot(
  kvstore: Kvstore,
  receiver: SnapshotReceiver,
  options: SnapshotCallOptions = {},
): Promise<void> {
  const { socket, transfer } = await dialAny(kvstore, receiver, options);
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => closed.resolve());
  try {
    await transfer.run(socket);
  } finally {
    socket.destroy();
    await closed.promise;
  }
}

async function dialAny(
  kvstore: Kvstore,
  receiver: SnapshotReceiver,
  { endpoint: only, signal, stallTimeoutMs = defaultStallTimeoutMs }: SnapshotCallOptions,
): Promise<{ socket: Socket; transfer: Transfer }> {
  let failure: unknown;
  for (const endpoint of only === undefined ? kvstore.endpoints : [only]) {
    const { protocol, host: authority } = new URL(endpoint);
    const { path } = Maintenance.snapshot;
    const download = receiver.sink.download({
      scheme: protocol.slice(0, -1),
      authority,
      path,
      body,
      windowBytes,
    });
    const transfer = new Transfer(download, receiver, { endpoint, signal, stallTimeoutMs });
    // One buffer for all reads: nothing is allocated for them.
    const buffer = Buffer.allocUnsafeSlow(readBytes);
    const onread = {
      buffer,
      callback: (bytes: number): boolean => transfer.take(bytes, buffer),
    };
    try {
      return { socket: await kvstore.dial(endpoint, { signal, onread }), transfer };
    } catch (error) {
      if (!isKvstoreError(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}
