import type { SnapshotSink } from '@nodecore/native';

import type { SnapshotReceiver } from './transfer.ts';

/** How many bytes are gathered for one step of the reader, nearly. */
const batchBytes = 512 << 10;

/** Between who brings bytes and who pulls batches: one batch waits, and one is filled. */
export class BatchQueue implements SnapshotReceiver {
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
      // It may have failed while the reader was busy with a batch.
      if (this.#ended && this.#failure === undefined && this.#batches.length === 0) return;
    }
  }

  #finishBatch(): void {
    if (this.#used > 0) this.#batches.push(this.#current.subarray(0, this.#used));
    this.#current = Buffer.alloc(0);
    this.#used = 0;
    this.#changed.resolve();
  }
}
