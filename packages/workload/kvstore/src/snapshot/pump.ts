import { SnapshotDownload } from '@nodecore/native/snapshot';

import { Maintenance } from '../../gen/etcdserverpb.js';
import { dialSocket } from '../dial.ts';
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

/** A call whose receiver has no target: what has failed before a byte came is tried in another way. */
export type SnapshotStreamOptions = SnapshotCallOptions & {
  /**
   * Where the same member listens on this machine, in plain text, in a directory that only its owner may enter. It is asked there first,
   * which saves both sides enciphering; over the endpoint when there is no answer.
   */
  readonly socket?: string | undefined;
};

const defaultStallTimeoutMs = 30_000;
/** With an empty message: a prefix and nothing. */
const call = { path: Maintenance.snapshot.path, body: new Uint8Array(5), windowBytes };
/** A socket of this machine is there at once, or nobody listens. */
const socketTimeoutMs = 5_000;

/** Asks a member for a snapshot, and brings it to the receiver: the database, and its SHA-256 behind it. */
export async function pumpSnapshot(
  kvstore: Kvstore,
  receiver: SnapshotReceiver,
  options: SnapshotStreamOptions = {},
): Promise<void> {
  if (options.socket !== undefined && (await pumpedOver(options.socket, kvstore, receiver, options))) return;
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

/** @returns false when nothing came: a member that has begun without the socket, or that asks for a user. */
async function pumpedOver(
  path: string,
  kvstore: Kvstore,
  receiver: SnapshotReceiver,
  { signal, endpoint = kvstore.preferred, stallTimeoutMs = defaultStallTimeoutMs }: SnapshotCallOptions,
): Promise<boolean> {
  const download = new SnapshotDownload({ scheme: 'http', authority: 'localhost', ...call });
  const transfer = new Transfer(download, receiver, {
    endpoint,
    failureOf: (...end) => failureOf(endpoint, ...end),
    stallTimeoutMs,
    signal,
  });
  try {
    const dial = { timeoutMs: socketTimeoutMs, signal };
    await runOver(await connectFor(transfer, (onread) => dialSocket(path, { ...dial, onread })));
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    if (transfer.bytes > 0 || !isKvstoreError(error) || error.code === 'ERR_KVSTORE_TIMEOUT') throw error;
    return false;
  }
}

async function dialed(
  kvstore: Kvstore,
  endpoint: string,
  receiver: SnapshotReceiver,
  { signal, stallTimeoutMs = defaultStallTimeoutMs }: SnapshotCallOptions,
): Promise<Connected> {
  const { protocol, host: authority } = new URL(endpoint);
  const token = await kvstore.freshToken(endpoint, { signal });
  const metadata = token === undefined ? {} : { metadata: { token } };
  const request = { scheme: protocol.slice(0, -1), authority, ...call, ...metadata };
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
