/** About a millisecond of work. */
const mostInTurn = 4;

/**
 * Lets parts of all downloads go in turn, a few in each turn of the loop. A turn takes one new connection, or few: when it is as long as
 * all downloads have parts ready, who comes next waits for seconds.
 */
export class PerTurn {
  readonly #waiting: (() => void)[] = [];
  /** Those of this turn of the loop. */
  #gone = 0;
  #isCounting = false;

  /** Resolves when the next part may go: at once where few have. Who asks first goes first. */
  async next(): Promise<void> {
    this.#count();
    if (this.#gone >= mostInTurn) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#gone += 1;
  }

  /** Until the turn is over. */
  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    setImmediate(() => {
      const next = this.#waiting.splice(0, mostInTurn);
      this.#gone = next.length;
      this.#isCounting = false;
      if (next.length > 0) this.#count();
      for (const go of next) go();
    });
  }
}
