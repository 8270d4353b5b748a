import type { Kvstore } from '../kvstore.ts';
import { BatchQueue } from './batch-queue.ts';
import { pumpSnapshot, type SnapshotStreamOptions } from './pump.ts';

/**
 * A snapshot to pass on. Iterate once. It is all that the member sent when the iteration ends by itself; what it is, is proven
 * by the end that keeps it.
 */
export class SnapshotStream implements AsyncIterable<Uint8Array> {
  readonly #kvstore: Kvstore;
  readonly #options: SnapshotStreamOptions;
  #totalBytes: bigint | undefined;

  constructor(kvstore: Kvstore, options: SnapshotStreamOptions) {
    this.#kvstore = kvstore;
    this.#options = options;
  }

  /** Bytes of the whole, with the digest; known when the first piece is there. */
  get totalBytes(): bigint | undefined {
    return this.#totalBytes;
  }

  /**
   * Pieces whose bytes are good until the next one is asked for: their buffers are filled again, for a gigabyte of buffers
   * would keep V8 collecting. There are `snapshotHeadroomBytes` in front of each.
   *
   * @throws {KvstoreError} after the last piece, too: what was passed on by then must not be kept.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    const stop = new AbortController();
    const { signal } = this.#options;
    const queue = new BatchQueue((bytes) => {
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
    } finally {
      stop.abort(new TypeError('the reader of the snapshot has left'));
      queue.leave();
      await work;
    }
  }
}

/** A snapshot of a member's database to pass on, as it comes: {@link receiveSnapshot}, its other end, proves it. */
export function snapshotStream(kvstore: Kvstore, options: SnapshotStreamOptions = {}): SnapshotStream {
  return new SnapshotStream(kvstore, options);
}
