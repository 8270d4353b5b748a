import { TooCostly } from './failure.ts';

/** What one evaluation may cost. A step takes 20 to 100 ns, so this is a few milliseconds at most. */
export const maxSteps = 50_000;

/**
 * Counts what an evaluation does, so that its length depends on the expression and its values and never on the clock:
 * one step for each part that is evaluated, and more for work that grows with the length of a text or list.
 */
export class Budget {
  readonly #max: number;
  #spent = 0;

  constructor(max: number = maxSteps) {
    this.#max = max;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws {TooCostly} when nothing is left; before the work is done, if it is paid for before. */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.#max)
      throw new TooCostly(`costs too much: more than ${this.#max} steps, so it was given up`);
  }

  /** For work that is done 16 characters or bytes at a time. */
  spendOn(length: number): void {
    this.spend(length >> 4);
  }

  /** For a search, which may compare each place of a text with the whole of what it looks for. */
  spendOnSearch(text: string, wanted: string): void {
    this.spend(Math.ceil((text.length * (wanted.length + 1)) / 256));
  }
}
