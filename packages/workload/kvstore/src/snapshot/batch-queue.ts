import type { SnapshotReceiver } from './transfer.ts';

/**
 * How many bytes are gathered for one step of the reader, nearly. Node's TLS copies into one piece of memory what waits to be sent; above
 * 256 KiB, as the agent's environment sets malloc, each such piece would be mapped, cleared and unmapped.
 */
const batchBytes = 120 << 10;
/** Bytes in front of every batch, in the same buffer, for the frame of a server that passes it on, without a copy. */
export const snapshotHeadroomBytes = 16;

/**
 * Between a connection that brings bytes and a reader that pulls batches: one batch waits, and one is filled. It lends the
 * memory that the socket is read into and fills it again, which a `BoundedQueue` of items that belong to their reader can't.
 */
export class BatchQueue implements SnapshotReceiver {
  readonly total: (bytes: bigint) => void;
  /** Full ones, with what came behind them before the pause was heeded. */
  #batches: Uint8Array[] = [];
  /** What is filled, without its headroom. */
  #current: Uint8Array = new Uint8Array();
  #used = 0;
  /** Buffers to be filled again. */
  readonly #spare: ArrayBufferLike[] = [];
  #ended = false;
  #failure: unknown;
  #changed = Promise.withResolvers<void>();
  #room: PromiseWithResolvers<void> | undefined;

  constructor(total: (bytes: bigint) => void) {
    this.total = total;
  }

  copyTo(bytes: number): Uint8Array {
    if (this.#current.length - this.#used < bytes) {
      this.#finishBatch();
      const size = snapshotHeadroomBytes + Math.max(bytes, batchBytes);
      const spare = this.#spare.pop();
      const buffer =
        spare !== undefined && spare.byteLength >= size ? spare : Buffer.allocUnsafeSlow(size).buffer;
      this.#current = new Uint8Array(buffer, snapshotHeadroomBytes);
    }
    return this.#current.subarray(this.#used);
  }

  took(bytes: number): Promise<void> | undefined {
    this.#used += bytes;
    if (this.#batches.length === 0) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  /** The reader pulls no more, and the connection must not wait for it. */
  leave(): void {
    this.#room?.resolve();
  }

  end(failure?: unknown): void {
    this.#finishBatch();
    this.#ended = true;
    this.#failure = failure;
    this.#changed.resolve();
  }

  /** Their bytes are good until the next one is asked for. */
  async *batches(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      await this.#changed.promise;
      this.#changed = Promise.withResolvers<void>();
      const batches = this.#batches;
      this.#batches = [];
      this.#room?.resolve();
      this.#room = undefined;
      if (this.#ended && this.#failure !== undefined) throw this.#failure;
      for (const batch of batches) {
        yield batch;
        this.#spare.push(batch.buffer);
      }
      // It may have failed while the reader was busy with a batch.
      if (this.#ended && this.#failure === undefined && this.#batches.length === 0) return;
    }
  }

  #finishBatch(): void {
    if (this.#used > 0) this.#batches.push(this.#current.subarray(0, this.#used));
    this.#current = new Uint8Array();
    this.#used = 0;
    this.#changed.resolve();
  }
}
