/** Counts by name, of names that are few. */
export class Tally {
  readonly #counts: Map<string, number>;

  /** @param names counted from the beginning, as 0. */
  constructor(names: readonly string[] = []) {
    this.#counts = new Map(names.map((name) => [name, 0]));
  }

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}
