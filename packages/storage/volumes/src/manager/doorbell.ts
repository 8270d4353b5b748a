import type { Clock } from '@nodecore/waiting';

/** Wakes one sleeper. A ring that nobody waits for is kept, so that a change during work is not missed. */
export class Doorbell {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
  }

  /** Forgets the rings so far; called right before looking at what they were about. */
  clear(): void {
    this.#rung = Promise.withResolvers();
  }

  /** Waits for a ring, for the time given, or for the signal, whatever comes first. Never rejects. */
  async rest(clock: Clock, ms: number | undefined, signal: AbortSignal): Promise<void> {
    const awake = new AbortController();
    const stop = (): void => awake.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const reasons = [this.#rung.promise, aborted(awake.signal)];
    if (ms !== undefined) reasons.push(clock.sleep(ms, awake.signal).catch(() => {})); // cut short is fine
    await Promise.race(reasons);
    awake.abort();
    signal.removeEventListener('abort', stop);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
