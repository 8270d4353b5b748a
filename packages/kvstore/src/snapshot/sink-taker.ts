import type { SnapshotSink } from '@nodecore/native';

import { verdictOf } from './info.ts';
import type { ProgressMeter } from './progress.ts';
import type { SnapshotTaker } from './pump.ts';

/** Puts a snapshot into a native sink, as fast as that takes it. */
export class SinkTaker implements SnapshotTaker {
  readonly #sink: SnapshotSink;
  readonly #file: string;
  readonly #meter: ProgressMeter;
  /** What found no room, in its order, and the promise that it has. */
  #waiting: Uint8Array[] = [];
  #drained: Promise<void> | undefined;

  constructor(sink: SnapshotSink, file: string, meter: ProgressMeter) {
    this.#sink = sink;
    this.#file = file;
    this.#meter = meter;
  }

  total(bytes: bigint): void {
    this.#sink.expect(bytes);
    this.#meter.total(bytes);
  }

  take(bytes: Uint8Array): Promise<void> | undefined {
    const taken = this.#drained === undefined ? this.#sink.append(bytes) : 0;
    this.#meter.add(taken);
    if (taken === bytes.length) return undefined;
    this.#waiting.push(bytes.subarray(taken));
    if (this.#drained === undefined) {
      this.#drained = this.#drain();
      // Whoever takes the promise may have left by the time it is rejected.
      this.#drained.catch(() => {});
    }
    return this.#drained;
  }

  /** Resolves when nothing waits for room any more: after the sink's `abandon`, and before anybody else waits for the sink. */
  async settled(): Promise<void> {
    try {
      await this.#drained;
    } catch {
      // Why it failed was told to whom it concerned.
    }
  }

  async #drain(): Promise<void> {
    for (let left = this.#waiting.shift(); left !== undefined;) {
      await this.#sink.room();
      const end = this.#sink.end();
      // Ended before it was told to: it failed.
      if (end !== undefined) verdictOf(this.#file, end, undefined);
      while (left !== undefined) {
        const taken = this.#sink.append(left);
        this.#meter.add(taken);
        if (taken < left.length) {
          left = left.subarray(taken);
          break;
        }
        left = this.#waiting.shift();
      }
    }
    this.#drained = undefined;
  }
}
