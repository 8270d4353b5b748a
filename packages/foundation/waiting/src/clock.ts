import { onAbort } from './on-abort.ts';

/** Time, injected wherever a schedule depends on it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with `signal.reason` when the signal fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Of node:timers/promises each sleep that is ended early would make an error of its own, with a stack.
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    using _listener = onAbort(signal, reject);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  },
};
