/** Lets a burst pass, and after it so many each second. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #filledMs: number;

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }, nowMs: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
    this.#filledMs = nowMs;
  }

  /** @returns false when there is none left. */
  take(nowMs: number): boolean {
    const passedMs = Math.max(0, nowMs - this.#filledMs); // a clock may be set back
    this.#tokens = Math.min(this.#burst, this.#tokens + (passedMs / 1000) * this.#perSecond);
    this.#filledMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
