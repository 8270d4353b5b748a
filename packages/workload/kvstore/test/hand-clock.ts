import type { Clock } from '@nodecore/waiting';

/** A clock that is set by hand: who sleeps is woken when it has been moved far enough. */
export class HandClock implements Clock {
  #nowMs: number;
  #passedMs = 0;
  #sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>();
  #asleep = Promise.withResolvers<void>();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { untilMs: this.#passedMs + ms, wake: resolve };
    this.#sleepers.add(sleeper);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    this.#asleep.resolve();
    try {
      await promise;
    } finally {
      this.#sleepers.delete(sleeper);
    }
  }

  /** Resolves when somebody sleeps. */
  async asleep(): Promise<void> {
    if (this.#sleepers.size > 0) return;
    this.#asleep = Promise.withResolvers();
    await this.#asleep.promise;
  }

  /** Time passes: wakes who has slept long enough. */
  pass(ms: number): void {
    this.#nowMs += ms;
    this.#passedMs += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.untilMs > this.#passedMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  /** Somebody sets the clock; whoever sleeps goes on sleeping. */
  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }
}
