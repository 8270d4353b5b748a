import type { CaptureCountsInit } from '@nodecore/api/capture';

/** What became of packets so far. */
export type Counts = {
  readonly seen: bigint;
  readonly received: bigint;
  readonly dropped: bigint;
  readonly bytes: bigint;
  /** Undefined when the packets are not inspected. */
  readonly truncated?: bigint;
};

const none: Counts = { seen: 0n, received: 0n, dropped: 0n, bytes: 0n };

/** What became of the packets of several captures. */
export function sumOf(all: readonly Counts[]): Counts {
  return all.reduce(
    (sum, { seen, received, dropped, bytes }) => ({
      seen: sum.seen + seen,
      received: sum.received + received,
      dropped: sum.dropped + dropped,
      bytes: sum.bytes + bytes,
    }),
    none,
  );
}

/** The counts of a capture, while it runs and after it has ended. */
export class CaptureCounters {
  #read: () => Counts = () => none;
  #last = none;

  /** From now on. */
  follow(read: () => Counts): void {
    this.#read = read;
  }

  get counts(): Counts {
    return this.#read();
  }

  /** The counts, when they differ from those of the last call. */
  changes(): CaptureCountsInit | undefined {
    const now = this.counts;
    const { seen, received, dropped } = this.#last;
    if (now.seen === seen && now.received === received && now.dropped === dropped) return undefined;
    this.#last = now;
    return now;
  }
}
