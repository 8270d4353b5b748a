import { Backoff, type Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';

export type RunnerOptions = { readonly log: Log; readonly clock: Clock; readonly signal: AbortSignal };

/** A failure after this long is a new one, not the next of a row. */
const steadyMs = 60_000;

/**
 * Runs a controller until the signal fires. When it fails, or ends by itself, it is started again after a growing
 * delay; nothing else of the agent notices.
 */
export async function superviseController(
  name: string,
  controller: (signal: AbortSignal) => Promise<void>,
  { log, clock, signal }: RunnerOptions,
): Promise<void> {
  const backoff = new Backoff({ firstMs: 500, largestMs: 30_000 });
  while (!signal.aborted) {
    const started = clock.now();
    try {
      await controller(signal);
      if (!signal.aborted) log.warn({ controller: name }, 'controller ended by itself');
    } catch (error) {
      if (signal.aborted) return;
      log.error({ controller: name, err: error }, 'controller failed');
    }
    if (clock.now() - started > steadyMs) backoff.reset();
    await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
  }
}
