import type { Clock } from '@nodecore/waiting';

/** A clock that leaps over every sleep. Time also passes when a test says that something took it. */
export class LeapingClock implements Clock {
  #now: number;

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#now += ms;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}
