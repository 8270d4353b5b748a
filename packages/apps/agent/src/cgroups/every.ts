import type { Clock } from '@nodecore/waiting';

export type EveryOptions = {
  readonly intervalMs: number;
  /** The second one comes after this time, if that is less. */
  readonly firstMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Now, and then once per interval. Where the consumer takes longer than that, the ones in between are left out: the next
 * comes at the next multiple. Rejects with the signal's reason.
 */
export async function* every({
  intervalMs,
  firstMs,
  clock,
  signal,
}: EveryOptions): AsyncGenerator<void, never, undefined> {
  let due = clock.now();
  let step = Math.min(firstMs, intervalMs);
  for (;;) {
    signal.throwIfAborted();
    yield;
    due += step;
    step = intervalMs;
    const late = clock.now() - due;
    // A clock that was set back must not stop a watch either.
    if (late > 0) due += Math.ceil(late / step) * step;
    const waitMs = Math.min(due - clock.now(), intervalMs);
    await clock.sleep(waitMs, signal);
  }
}
