/**
 * The newest value of something that changes, for any number of readers. A reader starts with the value there is and
 * gets each newer one, or only the newest when it was too slow: nothing is queued.
 */
export class Latest<T> implements AsyncIterable<T> {
  #value: { readonly value: T; readonly turn: number } | undefined;
  readonly #waiting = new Set<() => void>();

  get value(): T | undefined {
    return this.#value?.value;
  }

  set(value: T): void {
    this.#value = { value, turn: (this.#value?.turn ?? 0) + 1 };
    for (const wake of this.#waiting) wake();
  }

  /** Ends only when the reader does. */
  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return this.follow();
  }

  /** Ends when the signal fires. */
  async *follow(signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
    let seen = 0;
    for (;;) {
      if (signal?.aborted === true) return;
      const current = this.#value;
      if (current !== undefined && current.turn > seen) {
        seen = current.turn;
        yield current.value;
      } else {
        await this.#change(signal);
      }
    }
  }

  async #change(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#waiting.add(wake);
    signal?.addEventListener('abort', wake, { once: true });
    try {
      await promise;
    } finally {
      this.#waiting.delete(wake);
      signal?.removeEventListener('abort', wake);
    }
  }
}
