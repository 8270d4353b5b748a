/** How many days are remembered before they are asked for again. */
const maxDays = 10_000;

/** On which day each token was used last, so that one write a day is enough. */
export class Days {
  readonly #days = new Map<string, string>();

  has(id: string, day: string): boolean {
    return this.#days.get(id) === day;
  }

  add(id: string, day: string): void {
    if (this.#days.size >= maxDays) this.#days.clear();
    this.#days.set(id, day);
  }
}
