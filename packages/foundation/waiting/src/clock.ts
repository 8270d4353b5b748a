import { setTimeout as delay } from 'node:timers/promises';

/** Time, injected wherever a schedule depends on it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with `signal.reason` when the signal fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted(); // the reason, not the timer's AbortError
      throw error;
    }
  },
};
