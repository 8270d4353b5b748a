import { SnapshotDownload } from '@nodecore/native/snapshot';

import { Maintenance } from '../../gen/etcdserverpb.js';
import { parseEndpoint } from '../endpoint.ts';
import { isKvstoreError } from '../errors.ts';
import type { Kvstore } from '../kvstore.ts';
import { speaks } from '../spoken.ts';
import { tlsThere } from '../tls.ts';
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
  let failure: unknown;
  for (const endpoint of options.endpoint === undefined ? kvstore.endpoints : [options.endpoint]) {
    const connected = await dialed(kvstore, endpoint, receiver, options).catch((error: unknown) => {
      if (!isKvstoreError(error)) throw error;
      failure ??= error;
      return undefined;
    });
    if (connected === undefined) continue;
    try {
      await runOver(connected);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw await explained(endpoint, error);
    }
    return;
  }
  throw failure;
}

async function dialed(
  kvstore: Kvstore,
  endpoint: string,
  receiver: SnapshotReceiver,
  { signal, stallTimeoutMs = defaultStallTimeoutMs }: SnapshotCallOptions,
): Promise<Connected> {
  const { protocol, host: authority } = new URL(endpoint);
  const { path } = Maintenance.snapshot;
  const token = await kvstore.freshToken(endpoint, { signal });
  const metadata = token === undefined ? {} : { metadata: { token } };
  const request = { scheme: protocol.slice(0, -1), authority, path, body, windowBytes, ...metadata };
  const download = receiver.target?.sink.download(request) ?? new SnapshotDownload(request);
  const transfer = new Transfer(download, receiver, {
    endpoint,
    failureOf: (...end) => failureOf(endpoint, ...end),
    stallTimeoutMs,
    signal,
  });
  return await connectFor(transfer, (onread) => kvstore.dial(endpoint, { signal, onread }));
}

/** A server of TLS ends a connection in plain text without a word. */
async function explained(endpoint: string, error: unknown): Promise<unknown> {
  const parsed = parseEndpoint(endpoint, true);
  if (parsed.tls || !isKvstoreError(error, 'ERR_KVSTORE_UNREACHABLE', 'ERR_KVSTORE_PROTOCOL')) return error;
  return (await speaks(parsed)) === 'tls' ? tlsThere(parsed) : error;
}
