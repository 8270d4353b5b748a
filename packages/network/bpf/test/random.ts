/** A small generator of pseudo-random numbers (mulberry32): a seed gives the same numbers everywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Unsigned, 32 bits. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  below(limit: number): number {
    return this.next() % limit;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list.at(this.below(list.length));
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }

  /** True once in `n` times. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }

  /** A number as programs have them: mostly small, sometimes at an edge, sometimes anything. */
  constant(): number {
    if (this.oneIn(2)) return this.below(64);
    const edges = [0, 1, 0xff, 0x800, 0x86dd, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xffe00000];
    return this.oneIn(2) ? this.pick(edges) : this.next();
  }
}
