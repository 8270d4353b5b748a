import type { Clock } from './clock.ts';
import { onAbort } from './on-abort.ts';

/** The reason that ends a wait whose time is over. */
const timeOver = Symbol('time over');

export type WaitForOptions = {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
};

/**
 * Wakes a loop that waits for work. A notification that nobody waits for is kept for the next `wait`, so that a change
 * which comes during the work is not missed; several become one.
 *
 * `wait` and `waitFor` are for one loop: of several, only one gets each notification. Any number of others may call
 * `next`, which takes it from nobody.
 *
 * @example
 * const changed = new Signal();
 * watcher.on('change', () => changed.notify());
 * for (;;) {
 *   await changed.wait(signal);
 *   await readAll();
 * }
 */
export class Signal {
  #notified = false;
  readonly #waiting = new Set<() => void>();

  /** Whether a notification is kept for the next `wait`. */
  get notified(): boolean {
    return this.#notified;
  }

  notify(): void {
    this.#notified = true;
    for (const wake of this.#waiting) wake();
  }

  /** Forgets a notification that is kept: for a loop that is about to look at everything anyway. */
  clear(): void {
    this.#notified = false;
  }

  /**
   * Waits for a notification and takes it; returns at once when one is kept.
   *
   * @throws `signal.reason` when the signal fires first, or has fired; a kept notification then stays.
   */
  async wait(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    while (!this.#notified) await this.next(signal);
    this.#notified = false;
  }

  /**
   * Like `wait`, for at most `ms` milliseconds of the clock; without a limit when it is undefined.
   *
   * @returns whether there was a notification; false when the time was over.
   * @throws `signal.reason` when the signal fires first, or has fired.
   */
  async waitFor(ms: number | undefined, { clock, signal }: WaitForOptions): Promise<boolean> {
    const ended = new AbortController();
    using _listener = onAbort(signal, (reason) => ended.abort(reason));
    if (ms !== undefined)
      clock.sleep(ms, ended.signal).then(
        () => ended.abort(timeOver),
        (error: unknown) => ended.abort(error), // of no effect when it was this end that cut the sleep short
      );
    try {
      await this.wait(ended.signal);
      return true;
    } catch (error) {
      if (error === timeOver) return false;
      throw error;
    } finally {
      ended.abort(timeOver);
    }
  }

  /**
   * Waits for the next notification, whether or not one is kept, and leaves it to the loop that waits for it by `wait`.
   *
   * @throws `signal.reason` when the signal fires first, or has fired.
   */
  async next(signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    using _listener = onAbort(signal, reject);
    this.#waiting.add(resolve);
    try {
      await promise;
    } finally {
      this.#waiting.delete(resolve);
    }
  }
}
