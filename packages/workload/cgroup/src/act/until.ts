import { type Clock, systemClock } from '@nodecore/waiting';

/** How an act waits for what it asked of the kernel. */
export type ActOptions = {
  readonly clock?: Clock;
  /** How long the kernel may take, in milliseconds. */
  readonly withinMs?: number;
  /** Ends the waiting; what was done by then stays done unless the act says otherwise. */
  readonly signal?: AbortSignal;
};

const firstMs = 1;
const longestMs = 50;

/** Asks until the answer is yes. @returns false when it was not within the time. */
export async function until(
  is: () => Promise<boolean>,
  { clock = systemClock, withinMs = 5000, signal }: ActOptions,
): Promise<boolean> {
  let waitedMs = 0;
  for (let pauseMs = firstMs; !(await is()); pauseMs = Math.min(pauseMs * 2, longestMs)) {
    if (waitedMs >= withinMs) return false;
    await clock.sleep(pauseMs, signal);
    waitedMs += pauseMs;
  }
  return true;
}
