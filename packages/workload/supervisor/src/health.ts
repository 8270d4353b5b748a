import { type Clock, onAbort } from '@nodecore/waiting';

import type { Service } from './service.ts';

/** Resolves when a service does its work; rejects with what it lacks. Gives up when the signal fires. */
export type Probe = (signal: AbortSignal) => Promise<void>;

const firstMs = 1000;
const everyMs = 5000;
const limitMs = 500;

/** Looks at a service one second after its start, and every five seconds, until the signal fires. Never rejects. */
export async function watchHealth(
  service: Pick<Service, 'setHealth'>,
  probe: Probe,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(firstMs, signal).catch(() => {}); // the loop asks the signal
  while (!signal.aborted) {
    const failure = await failureOf(probe, clock, signal);
    if (signal.aborted) return;
    service.setHealth(failure === undefined, failure);
    await clock.sleep(everyMs, signal).catch(() => {}); // the loop asks the signal
  }
}

async function failureOf(probe: Probe, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
  const over = new AbortController();
  using _listener = onAbort(signal, () => over.abort());
  const late = clock.sleep(limitMs, over.signal).then(
    () => `no answer within ${limitMs} ms`,
    () => undefined, // it was decided before
  );
  const looking = probe(over.signal).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  try {
    return await Promise.race([looking, late]);
  } finally {
    over.abort();
  }
}
