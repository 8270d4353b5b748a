import { stat } from 'node:fs/promises';

import { type Clock, systemClock } from '@nodecore/waiting';

/** Most calls return in less: only what takes longer is watched closely, from this long after its beginning at the latest. */
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

/** Undefined without a deadline: without a limit nothing is counted. */
export function callsWithin(deadlineMs: number | undefined): DeviceCalls | undefined {
  return deadlineMs === undefined ? undefined : new DeviceCalls({ deadlineMs });
}

/** `returned` is there once the call is watched. */
type CallUnderWay = { isOver: boolean; returned: AbortController | undefined };

/**
 * The calls that one reading makes of a device, on the threads of Node's pool. Each has a deadline of its own, which begins
 * with the call and not while it waits for a thread: what others do is not this device's fault.
 */
export class DeviceCalls {
  readonly deadlineMs: number;
  readonly #clock: Clock;
  readonly #throughPool: () => Promise<unknown>;
  readonly #hung = Promise.withResolvers<void>();
  #tick: Promise<void> | undefined;

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
    const under: CallUnderWay = { isOver: false, returned: undefined };
    const result = call();
    void this.#watchWhenSlow(under);
    try {
      return await result;
    } finally {
      under.isOver = true;
      under.returned?.abort();
    }
  }

  /** One timer for all the calls of a moment: thousands that return at once cost nothing else. */
  async #watchWhenSlow(under: CallUnderWay): Promise<void> {
    this.#tick ??= this.#clock.sleep(slowMs).finally(() => {
      this.#tick = undefined;
    });
    await this.#tick;
    if (under.isOver) return;
    under.returned = new AbortController();
    await this.#watch(under.returned.signal);
  }

  async #watch(returned: AbortSignal): Promise<void> {
    const { deadlineMs } = this;
    try {
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
