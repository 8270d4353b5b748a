import type { Clock } from '@nodecore/waiting';

/** How long a trial lasts when its request names no time: a minute. */
export const defaultTryTimeoutMs = 60_000;
/** The max that a request may name, a day; above it the configurator throws `ERR_APPLY_MODE`. */
export const longestTryTimeoutMs = 86_400_000;

/** A configuration on trial: unless it is confirmed in time, `rollBack` is called once. */
export class Trial {
  readonly #clock: Clock;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get pending(): boolean {
    return this.#running !== undefined;
  }

  /** Starts the time, anew when a trial is pending. */
  start(timeoutMs: number, rollBack: () => Promise<void>): void {
    this.stop();
    const abort = new AbortController();
    this.#running = { abort, done: this.#wait(timeoutMs, abort, rollBack) };
  }

  /** Ends the trial; what is active stays. */
  stop(): void {
    this.#running?.abort.abort();
    this.#running = undefined;
  }

  /** Resolves when the pending trial, if any, has been rolled back or stopped. */
  async settled(): Promise<void> {
    await this.#running?.done;
  }

  async #wait(timeoutMs: number, abort: AbortController, rollBack: () => Promise<void>): Promise<void> {
    try {
      await this.#clock.sleep(timeoutMs, abort.signal);
    } catch {
      return; // stopped
    }
    await rollBack();
  }
}
