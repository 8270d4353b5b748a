/** Says what is done and how long it took, a line a step. */
export class Steps {
  readonly #started = performance.now();
  readonly #seconds = new Map<string, number>();
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Seconds since the beginning. */
  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  /** Seconds of each step, by its title. */
  get times(): ReadonlyMap<string, number> {
    return this.#seconds;
  }

  /** Does a step. What it returns is the end of its line, and may be empty. */
  async step<T>(
    title: string,
    work: () => Promise<T>,
    inWords: (result: T) => string = () => '',
  ): Promise<T> {
    const started = performance.now();
    this.#print(`… ${title}`);
    const result = await work();
    const seconds = (performance.now() - started) / 1000;
    this.#seconds.set(title, seconds);
    const words = inWords(result);
    this.#print(`✔ ${title}${words === '' ? '' : `: ${words}`} (${seconds.toFixed(1)} s)`);
    return result;
  }
}
