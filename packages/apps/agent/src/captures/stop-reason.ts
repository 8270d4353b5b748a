import type { Clock } from '@nodecore/waiting';

/** Why a capture ends. */
export type EndReason = 'stopped' | 'duration' | 'packets' | 'bytes' | 'space' | 'failed';

/** How long what was captured before the end may take to get to a caller that reads slowly. */
const drainMs = 2_000;

/** The end of one capture: the first reason counts. */
export class Ending implements Disposable {
  readonly #clock: Clock;
  readonly #begun = new AbortController();
  readonly #over = new AbortController();
  #reason: EndReason | undefined;
  #overdue = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends it after that time. */
  after(durationMs: number): void {
    this.#after(durationMs, () => this.begin('duration'));
  }

  get reason(): EndReason | undefined {
    return this.#reason;
  }

  /** Fires when no more packets are to be taken. */
  get signal(): AbortSignal {
    return this.#begun.signal;
  }

  /** What is still there is left behind. */
  get overdue(): boolean {
    return this.#overdue;
  }

  begin(reason: EndReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#begun.abort();
    this.#after(drainMs, () => (this.#overdue = true));
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  #after(ms: number, act: () => void): void {
    // Rejects when all is over: the timer is not needed then.
    this.#clock.sleep(ms, this.#over.signal).then(act, () => {});
  }
}
