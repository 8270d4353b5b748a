/**
 * Makes each thing once, however many ask for it at the same time, and keeps the ones that were asked for last. Making goes on
 * when who asked first is gone; what fails is forgotten at once, so that the next one tries again.
 */
export class Once<T> {
  readonly #max: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Promise<T>>();

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, make: () => Promise<T>): Promise<T> {
    const found = this.#kept.get(key) ?? this.#make(key, make);
    this.#kept.delete(key);
    this.#kept.set(key, found);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#max) break;
      this.#kept.delete(oldest);
    }
    return found;
  }

  #make(key: string, make: () => Promise<T>): Promise<T> {
    const making = make();
    making.catch(() => {
      if (this.#kept.get(key) === making) this.#kept.delete(key);
    });
    return making;
  }
}
