import { keepRunning } from '@nodecore/runtime';
import { Backoff, type Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';

export type RunnerOptions = { readonly log: Log; readonly clock: Clock; readonly signal: AbortSignal };

/** Delays after failures, also those of items of controllers. */
export const delays = { firstMs: 500, largestMs: 30_000 } as const;

/**
 * Runs a controller until the signal fires. When it fails, or ends by itself, it is started again after a growing
 * delay; nothing else of the agent notices.
 */
export async function superviseController(
  name: string,
  controller: (signal: AbortSignal) => Promise<void>,
  { log, clock, signal }: RunnerOptions,
): Promise<void> {
  const ended = (error: unknown): void => {
    if (error === undefined) log.warn({ controller: name }, 'controller ended by itself');
    else log.error({ controller: name, err: error }, 'controller failed');
  };
  await keepRunning(controller, { clock, backoff: new Backoff(delays), signal, ended });
}
