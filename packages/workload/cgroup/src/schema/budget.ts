/** What ran out. */
export type Spent = 'steps' | 'text';

/** A second's work, and some ten times what a thousand cgroups under twenty columns take. */
const maxSteps = 2_000_000;
/** Of all cells together. */
const maxCharacters = 1 << 24;
/** A table's cell has no use for more. */
const longestText = 1 << 20;
/** Work on so many characters, or on one element of a list, costs as much as a step. */
const charactersPerStep = 64;

/** What the templates of one table may cost together: nested loops over processes would take hours, and all memory. */
export class Budget {
  #steps = maxSteps;
  #characters = maxCharacters;

  /** @returns what ran out. */
  step(): Spent | undefined {
    this.#steps -= 1;
    return this.#steps < 0 ? 'steps' : undefined;
  }

  /** Counts a value that a template has made, or goes through. */
  value(value: unknown): Spent | undefined {
    if (typeof value === 'string') {
      if (value.length > longestText) return 'text';
      this.#steps -= Math.floor(value.length / charactersPerStep);
    } else if (Array.isArray(value)) {
      this.#steps -= value.length;
    } else if (value instanceof Map) {
      this.#steps -= value.size;
    }
    return this.#steps < 0 ? 'steps' : undefined;
  }

  /** @param length of the cell so far, with what was added. */
  text(added: number, length: number): Spent | undefined {
    this.#characters -= added;
    return this.#characters < 0 || length > longestText ? 'text' : undefined;
  }
}
