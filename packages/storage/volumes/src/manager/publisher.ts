import { CoalescingQueue, onAbort } from '@nodecore/waiting';

/**
 * Passes values on to any number of readers, in batches. A slow reader gets only the newest value of each key, so
 * that it falls behind without bound neither in time nor in memory.
 */
export class Publisher<T extends { readonly id: string }> {
  readonly #readers = new Set<CoalescingQueue<T>>();
  #closed = false;

  publish(value: T): void {
    for (const reader of this.#readers) reader.push(value);
  }

  /** Starts with `first`; ends when the signal fires or the publisher is closed. */
  async *subscribe(first: readonly T[], signal?: AbortSignal): AsyncGenerator<readonly T[], void, undefined> {
    const reader = new CoalescingQueue<T>(({ id }) => id);
    for (const value of first) reader.push(value);
    if (this.#closed) reader.end();
    this.#readers.add(reader);
    using _listener = onAbort(signal, () => reader.end());
    try {
      yield* reader.batches();
    } finally {
      this.#readers.delete(reader);
    }
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.end();
  }
}
