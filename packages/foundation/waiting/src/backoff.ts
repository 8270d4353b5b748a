export type BackoffOptions = {
  /** First delay, in milliseconds. */
  readonly firstMs: number;
  /** Largest delay, in milliseconds. */
  readonly largestMs: number;
  /** Random number in [0, 1); injected by tests. */
  readonly random?: () => number;
};

/**
 * Delays that double from `firstMs` to `largestMs`, each shortened at random by up to a half, so that nodes which
 * failed together do not return together.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Counts a failure and says how long to wait, in milliseconds. */
  next(): number {
    const { firstMs, largestMs, random = Math.random } = this.#options;
    const full = Math.min(largestMs, firstMs * 2 ** Math.min(this.#failures, 40));
    this.#failures += 1;
    return Math.round(full * (1 - random() / 2));
  }

  reset(): void {
    this.#failures = 0;
  }
}
