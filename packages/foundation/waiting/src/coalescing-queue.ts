import { Signal } from './signal.ts';

/**
 * Values between those who bring them and one who reads them. A value takes the place of an earlier one with the same
 * key that was not read yet, so that a slow reader falls behind neither in time nor in memory, and never misses the
 * last.
 *
 * @example
 * const statuses = new CoalescingQueue<VolumeStatus>(({ id }) => id);
 * for await (const batch of statuses.batches(signal)) send(batch);
 */
export class CoalescingQueue<T, K = string> {
  readonly #keyOf: (value: T) => K;
  #waiting = new Map<K, T>();
  readonly #changed = new Signal();
  #ended = false;

  /** @param keyOf values with the same key, compared as a `Map` does, take each other's place. */
  constructor(keyOf: (value: T) => K) {
    this.#keyOf = keyOf;
  }

  push(value: T): void {
    this.#waiting.set(this.#keyOf(value), value);
    this.#changed.notify();
  }

  /** Nothing more comes; what is here is still read. Twice is fine. */
  end(): void {
    this.#ended = true;
    this.#changed.notify();
  }

  /** One value after the other, in the order in which their keys came. Ends as {@link batches} does. */
  async *values(signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
    while (await this.#some(signal)) {
      const [next] = this.#waiting;
      if (next === undefined) continue;
      this.#waiting.delete(next[0]);
      yield next[1];
    }
  }

  /** All that is here, whenever there is something. Ends after the last, or, without an error, when the signal fires. */
  async *batches(signal?: AbortSignal): AsyncGenerator<readonly T[], void, undefined> {
    while (await this.#some(signal)) {
      const batch = [...this.#waiting.values()];
      this.#waiting = new Map();
      yield batch;
    }
  }

  /** Waits until there is something; false at the end. */
  async #some(signal: AbortSignal | undefined): Promise<boolean> {
    for (;;) {
      if (signal?.aborted === true) return false;
      if (this.#waiting.size > 0) return true;
      if (this.#ended) return false;
      await this.#changed.wait(signal).catch(() => {}); // the loop asks the signal
    }
  }
}
