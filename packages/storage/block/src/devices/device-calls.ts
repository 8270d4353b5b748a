import { stat } from 'node:fs/promises';

import { type Clock, systemClock } from '@nodecore/waiting';

/** Most calls return in less: only what takes longer is watched closely. */
const slowMs = 100;

/** How many deadlines a call may wait for a thread: nothing works any more on a machine where that takes longer. */
const longestWait = 6;

export type DeviceCallsOptions = {
  /** How long one call may take, from when it begins. */
  readonly deadlineMs: number;
  readonly clock?: Clock;
  /** Goes through Node's thread pool and touches no device; tests inject it. */
  readonly throughPool?: () => Promise<unknown>;
};

/** Undefined without a deadline: whoever has all the time need not count it. */
export function callsWithin(deadlineMs: number | undefined): DeviceCalls | undefined {
  return deadlineMs === undefined ? undefined : new DeviceCalls({ deadlineMs });
}

/**
 * The calls that one reading makes of a device, on the threads of Node's pool. Each has a deadline of its own, which begins
 * with the call and not while it waits for a thread: what others do is not this device's fault.
 */
export class DeviceCalls {
  readonly deadlineMs: number;
  readonly #clock: Clock;
  readonly #throughPool: () => Promise<unknown>;
  readonly #hung = Promise.withResolvers<void>();

  constructor(options: DeviceCallsOptions) {
    const { deadlineMs, clock = systemClock, throughPool = () => stat('/proc/self') } = options;
    this.deadlineMs = deadlineMs;
    this.#clock = clock;
    this.#throughPool = throughPool;
  }

  /** Resolves when a call does not return before its deadline. */
  get hung(): Promise<void> {
    return this.#hung.promise;
  }

  /** Waits for a call, however long it takes: nobody can interrupt it, and what it uses must stay. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const returned = new AbortController();
    const result = call();
    void this.#watch(returned.signal);
    try {
      return await result;
    } finally {
      returned.abort();
    }
  }

  async #watch(returned: AbortSignal): Promise<void> {
    const { deadlineMs } = this;
    try {
      await this.#clock.sleep(slowMs, returned);
      // The pool takes its tasks in order: what was asked for before this has begun when it comes back.
      await Promise.race([this.#throughPool(), this.#clock.sleep(longestWait * deadlineMs, returned)]);
      await this.#clock.sleep(deadlineMs, returned);
      // Timers go before answers: where the main thread is late, the call's may be waiting for it.
      await Promise.race([this.#throughPool(), this.#clock.sleep(deadlineMs, returned)]);
      if (!returned.aborted) this.#hung.resolve();
    } catch {
      // It returned.
    }
  }
}
