import { type Askers, SharedWork } from './shared-work.ts';

/**
 * Makes each thing once, however many ask for it at the same time, and keeps the ones that were asked for last. What is being made stays
 * besides, so that nobody makes it again; what fails is forgotten at once, so that the next one tries again.
 */
export class Once<T> {
  readonly #max: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, SharedWork<T>>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @param make ends, or keeps on, when all are gone who wait for it.
   * @param signal ends the waiting of who asks; without one `make` goes on.
   */
  async get(key: string, make: (askers: Askers) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const known = this.#kept.get(key);
    const found = known === undefined || known.isVain ? this.#make(key, make) : known;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    this.#evict();
    return await found.wait(signal);
  }

  #make(key: string, make: (askers: Askers) => Promise<T>): SharedWork<T> {
    const making = new SharedWork(make);
    void this.#tidyWhenSettled(key, making);
    return making;
  }

  async #tidyWhenSettled(key: string, making: SharedWork<T>): Promise<void> {
    await making.settled();
    if (making.isVain && this.#kept.get(key) === making) this.#kept.delete(key);
    this.#evict();
  }

  #evict(): void {
    let over = this.#kept.size - this.#max;
    for (const [oldest, { isGoing }] of this.#kept) {
      if (over <= 0) break;
      if (isGoing) continue;
      this.#kept.delete(oldest);
      over -= 1;
    }
  }
}
