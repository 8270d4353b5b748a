import { Signal } from './signal.ts';

/**
 * The newest value of something that changes, for any number of readers. A reader starts with the present value and
 * gets each newer one, or only the newest when it was too slow: nothing is queued.
 *
 * @example
 * const inventory = new Latest<Inventory>();
 * for await (const { disks } of inventory.changes(signal)) await plan(disks);
 */
export class Latest<T> implements AsyncIterable<T> {
  #current: { readonly value: T; readonly version: number } | undefined;
  readonly #changed = new Signal();

  /** Undefined until the first `set`. */
  get value(): T | undefined {
    return this.#current?.value;
  }

  /** Every `set` is a change, also one to an equal value. */
  set(value: T): void {
    this.#current = { value, version: (this.#current?.version ?? 0) + 1 };
    this.#changed.notify();
  }

  /** Ends only when the reader leaves; one that waits for a value leaves at the next. */
  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return this.changes();
  }

  /** The present value and each newer one. Ends, without an error, when the signal fires. */
  async *changes(signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
    let seen = 0;
    for (;;) {
      if (signal?.aborted === true) return;
      const current = this.#current;
      if (current !== undefined && current.version > seen) {
        seen = current.version;
        yield current.value;
      } else {
        await this.#changed.next(signal).catch(() => {}); // the loop asks the signal
      }
    }
  }

  /**
   * Waits until the newest value satisfies `predicate`; one that was replaced before this looked at it doesn't count.
   *
   * @returns the value, at once when the present one does.
   * @throws `signal.reason` when the signal fires first, or has fired; whatever `predicate` throws.
   */
  async when(predicate: (value: T) => boolean, signal?: AbortSignal): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      const current = this.#current;
      if (current !== undefined && predicate(current.value)) return current.value;
      await this.#changed.next(signal);
    }
  }
}
