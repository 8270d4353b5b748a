import { Signal } from '@nodecore/waiting';

const defaultMax = 1_000;

/** Lines that are there at once. */
export type LineBatch = {
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** Lines before them that were dropped before they were read. */
  readonly lost: number;
  /** There is no other one for now. */
  readonly isAll: boolean;
};

/** The newest lines of a log, for who comes later. */
export class LogRing {
  readonly #max: number;
  readonly #lines: string[] = [];
  readonly #changed = new Signal();
  /** Number of the first line of all. */
  readonly #begin: number;
  /** Of the first line that is kept. */
  #first: number;

  /**
   * @param max lines that are kept.
   * @param first number of the first of all.
   */
  constructor(max: number = defaultMax, first: number = 0) {
    this.#max = max;
    this.#begin = first;
    this.#first = first;
  }

  /** Numbers go on behind those of an agent before this one: no agent says a line in every millisecond of its life. */
  static ofThisBoot(): LogRing {
    return new LogRing(defaultMax, Number(process.hrtime.bigint() / 1_000_000n));
  }

  /** Adds a line, and drops the oldest when there are too many. */
  write(line: string): void {
    this.#lines.push(line.trimEnd());
    if (this.#lines.length > this.#max) {
      this.#lines.shift();
      this.#first += 1;
    }
    this.#changed.notify();
  }

  /** What is kept, and what comes, until the signal fires. Says how many lines were dropped before they were read. */
  async *follow(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    let next = this.#first;
    while (!signal.aborted) {
      if (next < this.#first) {
        yield `(${this.#first - next} lines are lost)`;
        next = this.#first;
      }
      const line = this.#lines[next - this.#first];
      if (line !== undefined) {
        next += 1;
        yield line;
      } else if (!(await this.#more(signal))) return;
    }
  }

  /**
   * The same in what there is at once, with the number of each line; without `follow` only what is kept.
   *
   * @param options.after number of the line that was read last: those behind it that are dropped count as lost. One that is not here
   * yet means the start.
   */
  async *batches({
    follow,
    signal,
    after,
  }: {
    readonly follow: boolean;
    readonly signal: AbortSignal;
    readonly after?: number | undefined;
  }): AsyncGenerator<LineBatch, void, undefined> {
    let next = this.#placeBehind(after);
    for (;;) {
      const lost = Math.max(0, this.#first - next);
      next = Math.max(next, this.#first);
      const lines = this.#lines
        .slice(next - this.#first)
        .map((text, index) => ({ number: next + index, text }));
      next += lines.length;
      yield { lines, lost, isAll: true };
      if (!follow || signal.aborted || !(await this.#hasMore(next, signal))) return;
    }
  }

  #placeBehind(after: number | undefined): number {
    // Numbers between those of an agent before this one and its own are nobody's.
    const next = after === undefined ? this.#first : Math.max(after + 1, this.#begin);
    return next > this.#first + this.#lines.length ? this.#first : next;
  }

  /** What came while the last batch was read is there already. */
  async #hasMore(next: number, signal: AbortSignal): Promise<boolean> {
    return next < this.#first + this.#lines.length || (await this.#more(signal));
  }

  async #more(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#changed.next(signal);
      return true;
    } catch {
      return false;
    }
  }
}
