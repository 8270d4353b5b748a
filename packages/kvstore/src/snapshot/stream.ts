import { SnapshotSink } from '@nodecore/native';

import type { Kvstore } from '../kvstore.ts';
import { infoOf, type SnapshotInfo, verdictOf } from './info.ts';
import { ProgressMeter } from './progress.ts';
import { pumpSnapshot, type SnapshotCallOptions, type SnapshotTaker } from './pump.ts';
import { SinkTaker } from './sink-taker.ts';

/** How many bytes of pieces are gathered for one step of the reader. */
const batchBytes = 256 << 10;

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
    const taker = new SinkTaker(sink, subject, new ProgressMeter(undefined));
    const queue = new PieceQueue(taker, (bytes) => {
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
      await work;
      // It is closed when nobody waits for it any more.
      sink.abandon();
      await taker.settled();
    }
  }
}

/** A snapshot of a member's database to pass on, checked as it goes by: {@link receiveSnapshot} is its other end. */
export function snapshotStream(kvstore: Kvstore, options: SnapshotCallOptions = {}): SnapshotStream {
  return new SnapshotStream(kvstore, options);
}

/** Between who pushes pieces and who pulls batches: one batch waits, and one is filled. */
class PieceQueue implements SnapshotTaker {
  readonly #check: SinkTaker;
  readonly #onTotal: (bytes: bigint) => void;
  #batch: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #failure: unknown;
  #changed = Promise.withResolvers<void>();
  #room: PromiseWithResolvers<void> | undefined;

  constructor(check: SinkTaker, onTotal: (bytes: bigint) => void) {
    this.#check = check;
    this.#onTotal = onTotal;
  }

  total(bytes: bigint): void {
    this.#check.total(bytes);
    this.#onTotal(bytes);
  }

  take(bytes: Uint8Array): Promise<void> | undefined {
    const checked = this.#check.take(bytes);
    this.#batch.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < batchBytes) return checked;
    this.#changed.resolve();
    this.#room ??= Promise.withResolvers<void>();
    const { promise } = this.#room;
    if (checked === undefined) return promise;
    const room = both(checked, promise);
    // Of several promises that one chunk makes, the last is awaited.
    room.catch(() => {});
    return room;
  }

  end(failure?: unknown): void {
    this.#ended = true;
    this.#failure = failure;
    this.#changed.resolve();
  }

  async *batches(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      await this.#changed.promise;
      this.#changed = Promise.withResolvers<void>();
      const batch = this.#batch;
      const bytes = this.#bytes;
      this.#batch = [];
      this.#bytes = 0;
      this.#room?.resolve();
      this.#room = undefined;
      if (this.#ended && this.#failure !== undefined) throw this.#failure;
      if (bytes > 0) yield Buffer.concat(batch, bytes);
      if (this.#ended && this.#batch.length === 0) return;
    }
  }
}

async function both(first: Promise<void>, second: Promise<void>): Promise<void> {
  await Promise.all([first, second]);
}
