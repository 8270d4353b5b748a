import { Signal } from './signal.ts';

/**
 * What was said about something that goes on, from its beginning, for readers who may come late and go early. Who
 * appends waits for nobody. Everything is kept, until the log is: for what ends.
 *
 * @example
 * const progress = new ProgressLog<string>();
 * void reset((step) => progress.append(step)).finally(() => progress.end());
 * for await (const step of progress.entries()) console.log(step);
 */
export class ProgressLog<T> {
  readonly #entries: T[] = [];
  readonly #changed = new Signal();
  #ended = false;

  append(entry: T): void {
    this.#entries.push(entry);
    this.#changed.notify();
  }

  /** Nothing more comes: readers end after the last entry. Twice is fine. */
  end(): void {
    this.#ended = true;
    this.#changed.notify();
  }

  /** Every entry from the first on, until the end; each reader at its own pace. @throws `signal.reason` when it fires. */
  async *entries(signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
    for (let next = 0; ;) {
      signal?.throwIfAborted();
      if (next < this.#entries.length) {
        yield this.#entries[next] as T;
        next += 1;
      } else if (this.#ended) {
        return;
      } else {
        await this.#changed.next(signal);
      }
    }
  }
}
