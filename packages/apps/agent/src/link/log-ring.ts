import { Signal } from '@nodecore/waiting';

const defaultMax = 1_000;

/** The newest lines of a log, for who comes later. */
export class LogRing {
  readonly #max: number;
  readonly #lines: string[] = [];
  readonly #changed = new Signal();
  /** Of the first line that is kept; the first of all is 0. */
  #first = 0;

  /** @param max lines that are kept. */
  constructor(max: number = defaultMax) {
    this.#max = max;
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

  async #more(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#changed.next(signal);
      return true;
    } catch {
      return false;
    }
  }
}
