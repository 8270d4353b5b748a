/**
 * Passes values on to any number of readers, in batches. A slow reader gets only the newest value of each key, so
 * that it falls behind without bound neither in time nor in memory.
 */
export class Publisher<T extends { readonly id: string }> {
  readonly #readers = new Set<Reader<T>>();
  #closed = false;

  publish(value: T): void {
    for (const reader of this.#readers) reader.push(value);
  }

  /** Starts with `first`; ends when the signal fires or the publisher is closed. */
  async *subscribe(first: readonly T[], signal?: AbortSignal): AsyncGenerator<readonly T[], void, undefined> {
    const reader = new Reader<T>(first, this.#closed);
    const stop = (): void => reader.end();
    this.#readers.add(reader);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    try {
      for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) yield batch;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#readers.delete(reader);
    }
  }

  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.end();
  }
}

class Reader<T extends { readonly id: string }> {
  #waiting: Map<string, T>;
  #ended: boolean;
  #wake = Promise.withResolvers<void>();

  constructor(first: readonly T[], ended: boolean) {
    this.#waiting = new Map(first.map((value) => [value.id, value]));
    this.#ended = ended;
  }

  push(value: T): void {
    this.#waiting.set(value.id, value);
    this.#wake.resolve();
  }

  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  async next(): Promise<readonly T[] | undefined> {
    while (this.#waiting.size === 0) {
      if (this.#ended) return undefined;
      await this.#wake.promise;
      this.#wake = Promise.withResolvers();
    }
    const batch = [...this.#waiting.values()];
    this.#waiting = new Map();
    return batch;
  }
}
