import { SnapshotSink } from '@nodecore/native/snapshot';

import type { Kvstore } from '../kvstore.ts';
import { BatchQueue } from './batch-queue.ts';
import { infoOf, type SnapshotInfo, verdictOf } from './info.ts';
import { pumpSnapshot, type SnapshotCallOptions } from './pump.ts';

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

  /**
   * Pieces whose bytes are good until the next one is asked for: their buffers are filled again, for a gigabyte of buffers
   * would keep V8 collecting. There are `snapshotHeadroomBytes` in front of each.
   *
   * @throws {KvstoreError} after the last piece, too: what was passed on by then must not be kept.
   */
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
