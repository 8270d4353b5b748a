/**
 * A map that forgets: what was not asked for while `limit` others were kept goes, and no more than twice `limit` stay.
 * Cheaper than an exact order of use: an entry moves only once per generation.
 */
export class TwoGenerations<Value> {
  readonly #limit: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) {
      this.#old.delete(key);
      this.set(key, old);
    }
    return old;
  }

  set(key: string, value: Value): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#limit) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
