import { type Clock, systemClock } from '@nodecore/waiting';

import { limitArenas, trimFreedMemory } from './ffi.ts';
import type { Log } from './log.ts';

/** Long enough for a start, or a change of the configuration, to be over. */
const lookMs = 30_000;
/** What malloc may keep without being asked for it. */
const slackBytes = 8 << 20;

export type FreedMemoryParts = {
  readonly log: Log;
  readonly clock?: Clock;
  /** Bytes that are resident; of this process by default. */
  readonly resident?: () => number;
  readonly trim?: () => Promise<void>;
};

/**
 * Gives memory back that is not used any more, until the signal fires: whenever the process has grown by 8 MiB since it was last
 * asked for. malloc keeps what was freed, 30 MiB after a start, and
 * returns it only from the upper end.
 */
export async function giveBackFreed(parts: FreedMemoryParts, signal: AbortSignal): Promise<void> {
  const {
    log,
    clock = systemClock,
    resident = (): number => process.memoryUsage.rss(),
    trim = trimFreedMemory,
  } = parts;
  let lastBytes = 0;
  while (!signal.aborted) {
    await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
    const beforeBytes = resident();
    if (signal.aborted || beforeBytes < lastBytes + slackBytes) continue;
    const started = performance.now();
    await trim();
    lastBytes = resident();
    const durationMs = Math.round(performance.now() - started);
    log.debug({ beforeBytes, afterBytes: lastBytes, durationMs }, 'freed memory given back');
  }
}

/** At the start of the program. Where libc is another one, memory is kept as that sees fit. */
export function spareMemory(log: Log): void {
  const refused = (error: unknown): void => log.warn({ err: error }, 'freed memory is not given back');
  try {
    limitArenas(2); // threads of the pool wait for the kernel, not for malloc
    giveBackFreed({ log }, new AbortController().signal).catch(refused);
  } catch (error) {
    refused(error);
  }
}
