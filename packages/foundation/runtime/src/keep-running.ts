import type { Backoff, Clock } from '@nodecore/waiting';

export type KeepRunningOptions = {
  readonly clock: Clock;
  /** Delays between the end of the work and its next beginning. */
  readonly backoff: Backoff;
  readonly signal: AbortSignal;
  /** Told of every end before the signal fires; `error` is undefined when the work ended by itself. */
  readonly ended: (error: unknown) => void;
};

/** Work that lasts this long begins a new row of failures. */
const steadyMs = 60_000;

/** Runs work until the signal fires: what fails, or ends by itself, begins again after a growing delay. Never rejects. */
export async function keepRunning(
  work: (signal: AbortSignal) => Promise<void>,
  { clock, backoff, signal, ended }: KeepRunningOptions,
): Promise<void> {
  while (!signal.aborted) {
    const started = clock.now();
    try {
      await work(signal);
      if (!signal.aborted) ended(undefined);
    } catch (error) {
      if (!signal.aborted) ended(error);
    }
    if (clock.now() - started > steadyMs) backoff.reset();
    await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
  }
}
