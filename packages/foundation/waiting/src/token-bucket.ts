/** How much may pass. */
export type Rate = {
  /** So many at once after a quiet time. */
  readonly burst: number;
  readonly perSecond: number;
};

/**
 * Lets a burst pass, and after it so many each second. It is told the time, in milliseconds of one clock: there may be
 * many of them.
 *
 * @example
 * const calls = new TokenBucket({ burst: 60, perSecond: 1 }, clock.now());
 * if (!calls.take(clock.now())) refuse();
 */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #filledMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledMs = nowMs;
  }

  /** @returns false when there is none left. */
  take(nowMs: number): boolean {
    this.#fill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Whether as much may pass as after a quiet time: such a bucket says no more than a new one. */
  isFull(nowMs: number): boolean {
    this.#fill(nowMs);
    return this.#tokens >= this.#rate.burst;
  }

  #fill(nowMs: number): void {
    const { burst, perSecond } = this.#rate;
    const passedMs = Math.max(0, nowMs - this.#filledMs); // a clock may be set back
    this.#tokens = Math.min(burst, this.#tokens + (passedMs / 1000) * perSecond);
    this.#filledMs = nowMs;
  }
}
