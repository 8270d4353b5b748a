/** Work that comes in a crowd, so much of it in each turn of the loop: what others ask meanwhile is answered between. */
export class LoopTurns {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isDue = false;

  /** @param perTurn how many go on in one turn. */
  constructor(perTurn: number) {
    this.#perTurn = perTurn;
    this.#left = perTurn;
  }

  /** Resolves when there is room, in the order of the calls. */
  take(): Promise<void> {
    if (!this.#isDue) {
      this.#isDue = true;
      setImmediate(() => this.#turn());
    }
    if (this.#left > 0) {
      this.#left -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #turn(): void {
    const next = this.#waiting.splice(0, this.#perTurn);
    this.#left = this.#perTurn - next.length;
    this.#isDue = next.length > 0;
    if (this.#isDue) setImmediate(() => this.#turn());
    for (const go of next) go();
  }
}
