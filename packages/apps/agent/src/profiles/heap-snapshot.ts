import { getHeapSnapshot } from 'node:v8';

import type { Taken } from './cpu-profile.ts';

/**
 * Every object of this process's heap, as a `.heapsnapshot` of V8, in pieces. V8 walks the heap and writes all of it as text before the first
 * piece: meanwhile the agent does nothing else, and all of it is in memory until it is taken.
 */
export async function* takeHeapSnapshot(): AsyncGenerator<Taken, void, undefined> {
  const begun = performance.now();
  let pauseMs = 0;
  for await (const bytes of getHeapSnapshot() as AsyncIterable<Uint8Array>) {
    pauseMs ||= performance.now() - begun;
    yield { bytes, pauseMs };
  }
}
