import { type Clock, onAbort } from '@nodecore/waiting';

type Sleeper = { at: number; readonly wake: () => void };

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();

  /** @param startMs milliseconds since the epoch. */
  constructor(startMs = 1_700_000_000_000) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  /** How many are waiting. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { at: this.#now + ms, wake: resolve };
    this.#sleepers.add(sleeper);
    using _listener = onAbort(signal, reject);
    try {
      await promise;
    } finally {
      this.#sleepers.delete(sleeper);
    }
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

  /** Goes to the next moment at which somebody wants to wake up; false when nobody sleeps. */
  skip(): boolean {
    const next = Math.min(...[...this.#sleepers].map(({ at }) => at));
    if (!Number.isFinite(next)) return false;
    this.advance(Math.max(0, next - this.#now));
    return true;
  }
}
