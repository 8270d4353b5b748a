import type { Clock } from '@nodecore/waiting';

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #now = 1_800_000_000_000;
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  now(): number {
    return this.#now;
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted === true) {
      reject(signal.reason);
      return promise;
    }
    const sleeper = { until: this.#now + ms, wake: resolve };
    this.#sleepers.add(sleeper);
    signal?.addEventListener(
      'abort',
      () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      },
      { once: true },
    );
    return promise;
  }

  /** Goes to the next moment at which somebody wants to wake up; false when nobody sleeps. */
  advance(): boolean {
    const next = [...this.#sleepers].sort((left, right) => left.until - right.until)[0];
    if (next === undefined) return false;
    this.#now = next.until;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until > this.#now) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    return true;
  }
}
