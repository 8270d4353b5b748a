import type { CaptureCountsInit } from '@nodecore/api/capture';

/** What became of packets so far. */
export type Counts = {
  readonly seen: bigint;
  readonly received: bigint;
  readonly dropped: bigint;
  readonly bytes: bigint;
  /** Undefined where nobody looks. */
  readonly truncated?: bigint;
};

const none: Counts = { seen: 0n, received: 0n, dropped: 0n, bytes: 0n };

/** The counts of a capture, for whoever asks while it runs, and after it has ended. */
export class Tally {
  #read: () => Counts = () => none;
  #told = none;

  /** From now on. */
  follow(read: () => Counts): void {
    this.#read = read;
  }

  get counts(): Counts {
    return this.#read();
  }

  /** The counts, when they are not those that were told before. */
  news(): CaptureCountsInit | undefined {
    const now = this.counts;
    const { seen, received, dropped } = this.#told;
    if (now.seen === seen && now.received === received && now.dropped === dropped) return undefined;
    this.#told = now;
    return now;
  }
}
