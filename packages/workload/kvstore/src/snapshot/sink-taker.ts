import type { SnapshotSink } from '@nodecore/native/snapshot';

import { verdictOf } from './info.ts';
import type { ProgressMeter } from './progress.ts';

/** Puts a snapshot that comes in pieces into a native sink, as fast as that takes it. */
export class SinkTaker {
  readonly #sink: SnapshotSink;
  readonly #file: string;
  readonly #meter: ProgressMeter;

  constructor(sink: SnapshotSink, file: string, meter: ProgressMeter) {
    this.#sink = sink;
    this.#file = file;
    this.#meter = meter;
  }

  /** Bytes of everything that is to come. Once, before the first piece. */
  total(bytes: bigint): void {
    this.#sink.expect(bytes);
    this.#meter.total(bytes);
  }

  /** Resolves when all of the piece is taken. */
  async take(bytes: Uint8Array): Promise<void> {
    let left = bytes.subarray(this.#append(bytes));
    for (; left.length > 0; left = left.subarray(this.#append(left))) {
      await this.#sink.room();
      const end = this.#sink.end();
      // Ended before it was told to: it failed.
      if (end !== undefined) verdictOf(this.#file, end, undefined);
    }
  }

  #append(bytes: Uint8Array): number {
    const taken = this.#sink.append(bytes);
    this.#meter.add(taken);
    return taken;
  }
}
