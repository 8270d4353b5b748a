import { onAbort, type Clock } from '@nodecore/waiting';

/** A clock that goes when it is told to. */
export class HandClock implements Clock {
  #now = 0;
  readonly #sleeping = new Set<{ readonly until: number; readonly wake: () => void }>();

  now(): number {
    return this.#now;
  }

  get sleepers(): number {
    return this.#sleeping.size;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { until: this.#now + ms, wake: resolve };
    this.#sleeping.add(sleeper);
    using _listener = onAbort(signal, reject);
    try {
      await promise;
    } finally {
      this.#sleeping.delete(sleeper);
    }
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const { until, wake } of this.#sleeping) if (until <= this.#now) wake();
  }
}
