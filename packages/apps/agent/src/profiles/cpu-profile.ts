import { Session } from 'node:inspector/promises';

import type { Clock } from '@nodecore/waiting';

/** Microseconds between two looks at what runs: V8's own default, which costs the agent about a hundredth of a processor. */
const intervalMicros = 1000;

export type Taken = {
  readonly bytes: Uint8Array;
  /** For how long the agent did nothing else. */
  readonly pauseMs: number;
};

/**
 * What the main thread of this process does for a while, as a `.cpuprofile` of the DevTools protocol. The profiler ends with the
 * signal, too.
 */
export async function takeCpuProfile(
  durationMs: number,
  { clock, signal }: { readonly clock: Pick<Clock, 'sleep'>; readonly signal: AbortSignal },
): Promise<Taken> {
  signal.throwIfAborted();
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: intervalMicros });
    await session.post('Profiler.start');
    await clock.sleep(durationMs, signal);
    const stopped = performance.now();
    const { profile } = await session.post('Profiler.stop');
    const bytes = Buffer.from(JSON.stringify(profile));
    return { bytes, pauseMs: performance.now() - stopped };
  } finally {
    session.disconnect(); // a profiler that still runs ends with it
  }
}
