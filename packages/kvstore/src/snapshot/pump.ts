import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';

import { Maintenance } from '../../gen/etcdserverpb.js';
import { isKvstoreError, KvstoreError } from '../errors.ts';
import type { Kvstore } from '../kvstore.ts';
import { statusError } from '../status-error.ts';
import { SnapshotFrames } from './frames.ts';

/** Where a snapshot goes. */
export type SnapshotTaker = {
  /** Bytes of everything that is to come. Once, before the first piece. */
  total(bytes: bigint): void;
  /** Takes a piece, whose bytes are its own from then on; a promise when there is no room before it resolves. */
  take(bytes: Uint8Array): Promise<void> | undefined;
};

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
/** What etcd sends behind the database. */
const digestBytes = 32n;
const defaultStallTimeoutMs = 30_000;

/** Asks a member for a snapshot and hands over its bytes: the database, and its SHA-256 behind it. */
export async function pumpSnapshot(
  kvstore: Kvstore,
  taker: SnapshotTaker,
  options: SnapshotCallOptions = {},
): Promise<void> {
  const { socket, endpoint } = await dialAny(kvstore, options);
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => closed.resolve());
  const session = connectHttp2(endpoint, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: windowBytes },
    // The default would end the session when a slow disk lets a window's worth gather.
    maxSessionMemory: 64,
  });
  session.once('connect', () => session.setLocalWindowSize(windowBytes));
  try {
    await new Transfer(session, endpoint, taker, options).run();
  } finally {
    session.destroy();
    socket.destroy();
    await closed.promise;
  }
}

async function dialAny(
  kvstore: Kvstore,
  { endpoint, signal }: SnapshotCallOptions,
): Promise<{ socket: Socket; endpoint: string }> {
  let failure: unknown;
  for (const candidate of endpoint === undefined ? kvstore.endpoints : [endpoint]) {
    try {
      return { socket: await kvstore.dial(candidate, { signal }), endpoint: candidate };
    } catch (error) {
      if (!isKvstoreError(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** One call: its stream, what it has said, and how it ends. */
class Transfer {
  readonly #session: ClientHttp2Session;
  readonly #endpoint: string;
  readonly #signal: AbortSignal | undefined;
  readonly #stallTimeoutMs: number;
  readonly #end = Promise.withResolvers<void>();
  readonly #frames: SnapshotFrames;
  #room: Promise<void> | undefined;
  #bytes = 0;
  #cause: Error | undefined;
  #status: { readonly code: number; readonly details: string } | undefined;

  constructor(
    session: ClientHttp2Session,
    endpoint: string,
    taker: SnapshotTaker,
    { signal, stallTimeoutMs = defaultStallTimeoutMs }: SnapshotCallOptions,
  ) {
    this.#session = session;
    this.#endpoint = endpoint;
    this.#signal = signal;
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#frames = new SnapshotFrames({
      total: (bytes) => taker.total(bytes + digestBytes),
      piece: (bytes) => {
        this.#bytes += bytes.length;
        this.#room = taker.take(bytes) ?? this.#room;
      },
    });
  }

  async run(): Promise<void> {
    const abort = (): void => this.#end.reject(this.#signal?.reason);
    this.#signal?.addEventListener('abort', abort);
    try {
      this.#signal?.throwIfAborted();
      this.#begin();
      await this.#end.promise;
    } finally {
      this.#signal?.removeEventListener('abort', abort);
    }
  }

  #begin(): void {
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': Maintenance.snapshot.path,
      te: 'trailers',
      'content-type': 'application/grpc',
      'user-agent': 'nodecore-kvstore',
    });
    const note = (error: Error): void => {
      this.#cause ??= error; // 'close' follows
    };
    this.#session.on('error', note);
    stream.on('error', note);
    stream.on('response', (headers) => this.#headers(headers));
    stream.on('trailers', (headers) => this.#grpcStatus(headers));
    stream.on('data', (chunk: Buffer) => {
      try {
        this.#frames.take(chunk);
      } catch (error) {
        this.#end.reject(error instanceof RangeError ? this.#protocol(error.message, error) : error);
        stream.pause();
        return;
      }
      if (this.#room === undefined) return;
      stream.pause();
      // While it is us who is slow, the member may be silent.
      stream.setTimeout(0);
      void this.#resume(stream, this.#room);
      this.#room = undefined;
    });
    stream.on('close', () => this.#closed());
    stream.setTimeout(this.#stallTimeoutMs);
    stream.on('timeout', () => this.#end.reject(this.#stalled()));
    stream.end(Buffer.alloc(5)); // an empty message: a prefix and nothing
  }

  async #resume(stream: ClientHttp2Stream, room: Promise<void>): Promise<void> {
    try {
      await room;
      stream.setTimeout(this.#stallTimeoutMs);
      stream.resume();
    } catch (error) {
      this.#end.reject(error);
    }
  }

  #stalled(): KvstoreError {
    const words = `silent for ${this.#stallTimeoutMs} ms after ${this.#bytes} bytes of the snapshot; is the member overloaded?`;
    return new KvstoreError('ERR_KVSTORE_TIMEOUT', this.#endpoint, words);
  }

  #headers(headers: IncomingHttpHeaders & { ':status'?: number | undefined }): void {
    const status = headers[':status'];
    if (status !== 200 || !String(headers['content-type']).startsWith('application/grpc')) {
      this.#end.reject(this.#protocol(`HTTP status ${status}, ${headers['content-type']}`));
    }
    if (headers['grpc-status'] !== undefined) this.#grpcStatus(headers);
  }

  #grpcStatus(headers: IncomingHttpHeaders): void {
    const message = String(headers['grpc-message'] ?? '');
    this.#status = { code: Number(headers['grpc-status']), details: unescaped(message) };
  }

  #closed(): void {
    if (this.#status === undefined) {
      this.#end.reject(
        new KvstoreError(
          'ERR_KVSTORE_UNREACHABLE',
          this.#endpoint,
          `the connection broke after ${this.#bytes} bytes of the snapshot; try again, or another member`,
          { cause: this.#cause },
        ),
      );
    } else if (this.#status.code !== 0) {
      this.#end.reject(statusError(this.#endpoint, this.#status.code, this.#status.details));
    } else if (!this.#frames.isWhole) {
      this.#end.reject(this.#protocol('the last message has no end'));
    } else {
      this.#end.resolve();
    }
  }

  #protocol(words: string, cause?: unknown): KvstoreError {
    return new KvstoreError('ERR_KVSTORE_PROTOCOL', this.#endpoint, `no snapshot came: ${words}`, { cause });
  }
}

/** gRPC escapes its messages like URLs. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
