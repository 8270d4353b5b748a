import type { TrimEvent } from './trim-event.ts';

/** Events between trims and a reader. One who is slow gets only the newest of each volume, and always the last. */
export class TrimEvents {
  readonly #waiting = new Map<string, TrimEvent>();
  #wake = Promise.withResolvers<void>();
  #ended = false;

  push(event: TrimEvent): void {
    this.#waiting.set(event.volume, event);
    this.#wake.resolve();
  }

  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  async *read(): AsyncGenerator<TrimEvent, void, undefined> {
    for (;;) {
      const [next] = this.#waiting.values();
      if (next !== undefined) {
        this.#waiting.delete(next.volume);
        yield next;
      } else if (this.#ended) {
        return;
      } else {
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
      }
    }
  }
}
