import type { Clock } from '@nodecore/waiting';

type Sleeper = { at: number; readonly wake: () => void };

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #now = 1_700_000_000_000;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  /** How many are waiting. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { at: this.#now + ms, wake: resolve };
    this.#sleepers.add(sleeper);
    signal?.addEventListener('abort', () => {
      this.#sleepers.delete(sleeper);
      reject(signal.reason as Error);
    });
    return promise;
  }

  /** As an operator or NTP does; who sleeps is not woken. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const sleeper of this.#sleepers) sleeper.at -= ms;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const sleeper of [...this.#sleepers].filter(({ at }) => at <= this.#now)) {
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
