import { SnapshotSink } from '@nodecore/native';

import type { Kvstore } from '../kvstore.ts';
import { infoOf, type SnapshotInfo, verdictOf } from './info.ts';
import { pumpSnapshot, type SnapshotCallOptions } from './pump.ts';
import type { SnapshotReceiver } from './transfer.ts';

/** How many bytes are gathered for one step of the reader, nearly. */
const batchBytes = 512 << 10;

/** A snapshot to pass on. Iterate once; what it was is known when the iteration has ended by itself. */
export class SnapshotStream implements AsyncIterable<Uint8Array> {
  readonly #kvstore: Kvstore;
  readonly #options: SnapshotCallOptions;
  #totalBytes: bigint | undefined;
  #info: SnapshotInfo | undefined;

  constructor(kvstore: Kvstore, options: SnapshotCallOptions) {
    this.#kvstore = kvstore;
    this.#options = options;
  }

  /** Bytes of the whole, with the digest; known when the first piece is there. */
  get totalBytes(): bigint | undefined {
    return this.#totalBytes;
  }

  /** Known after the last piece, when what came is sound. */
  get info(): SnapshotInfo {
    if (this.#info === undefined) throw new TypeError('the snapshot is not at its end');
    return this.#info;
  }

  /** @throws {KvstoreError} after the last piece, too: what was passed on by then must not be kept. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    const subject = 'the snapshot';
    const stop = new AbortController();
    const { signal } = this.#options;
    using sink = SnapshotSink.open({});
    const queue = new BatchQueue(sink, subject, (bytes) => {
      this.#totalBytes = bytes;
    });
    const work = pumpSnapshot(this.#kvstore, queue, {
      ...this.#options,
      signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
    }).then(
      () => queue.end(),
      (error: unknown) => queue.end(error),
    );
    try {
      yield* queue.batches();
      sink.finish();
      this.#info = infoOf(subject, verdictOf(subject, await sink.ended(), signal));
    } finally {
      stop.abort(new TypeError('the reader of the snapshot has left'));
      queue.leave();
      await work;
    }
  }
}

/** A snapshot of a member's database to pass on, checked as it goes by: {@link receiveSnapshot} is its other end. */
export function snapshotStream(kvstore: Kvstore, options: SnapshotCallOptions = {}): SnapshotStream {
  return new SnapshotStream(kvstore, options);
}

/** Between who brings bytes and who pulls batches: one batch waits, and one is filled. */
class BatchQueue implements SnapshotReceiver {
  readonly sink: SnapshotSink;
  readonly subject: string;
  readonly total: (bytes: bigint) => void;
  /** Full ones, with what came behind them before the pause was heeded. */
  #batches: Uint8Array[] = [];
  #current: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #used = 0;
  #ended = false;
  #failure: unknown;
  #changed = Promise.withResolvers<void>();
  #room: PromiseWithResolvers<void> | undefined;

  constructor(sink: SnapshotSink, subject: string, total: (bytes: bigint) => void) {
    this.sink = sink;
    this.subject = subject;
    this.total = total;
  }

  copyTo(bytes: number): Uint8Array {
    if (this.#current.length - this.#used < bytes) {
      this.#finishBatch();
      this.#current = Buffer.allocUnsafeSlow(Math.max(bytes, batchBytes));
    }
    return this.#current.subarray(this.#used);
  }

  took(bytes: number): Promise<void> | undefined {
    this.#used += bytes;
    if (this.#batches.length === 0) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  /** Nobody pulls any more, and nobody has to wait for it. */
  leave(): void {
    this.#room?.resolve();
  }

  end(failure?: unknown): void {
    this.#finishBatch();
    this.#ended = true;
    this.#failure = failure;
    this.#changed.resolve();
  }

  async *batches(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      await this.#changed.promise;
      this.#changed = Promise.withResolvers<void>();
      const batches = this.#batches;
      this.#batches = [];
      this.#room?.resolve();
      this.#room = undefined;
      if (this.#ended && this.#failure !== undefined) throw this.#failure;
      yield* batches;
      if (this.#ended && this.#batches.length === 0) return;
    }
  }

  #finishBatch(): void {
    if (this.#used > 0) this.#batches.push(this.#current.subarray(0, this.#used));
    this.#current = Buffer.alloc(0);
    this.#used = 0;
    this.#changed.resolve();
  }
}
