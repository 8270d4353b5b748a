import type { Clock } from '@nodecore/waiting';

import type { Log } from './log.ts';

/** What ends within this is not told. */
const slowMs = 5000;

/**
 * Does a part of a sequence. While it takes long, the log, which is the console of a node, says every 5 s what it waits for.
 *
 * @param waitsFor asked at each line.
 */
export async function toldWhileSlow<Result>(
  phase: string,
  waitsFor: () => readonly string[],
  work: () => Promise<Result> | Result,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Promise<Result> {
  const over = new AbortController();
  const tell = async (): Promise<never> => {
    for (let seconds = slowMs / 1000; ; seconds += slowMs / 1000) {
      await clock.sleep(slowMs, over.signal);
      log.warn({ phase, seconds, waitsFor: waitsFor() }, 'a phase goes on');
    }
  };
  tell().catch(() => {}); // it is over
  try {
    return await work();
  } finally {
    over.abort();
  }
}
