import { codeOf } from '@nodecore/sys';
import { Backoff, type Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { NodeEvent } from './event.ts';
import type { EventFile } from './event-file.ts';
import type { EventLog } from './event-log.ts';

export type EventKeeperParts = {
  readonly log: Log;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly events: EventLog;
  readonly file: Pick<EventFile, 'append'>;
};

/**
 * Has events survive the boot. While the file takes none, they wait in the memory of the log, which is bounded; the next one that is
 * written says how many were lost by that.
 */
export class EventKeeper {
  readonly #parts: EventKeeperParts;
  /** The place behind what is written; the first event of this run has 0. */
  #written = 0;
  #isFailing = false;

  constructor(parts: EventKeeperParts) {
    this.#parts = parts;
  }

  /** Writes what there is and what comes, until the signal fires. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { events, clock } = this.#parts;
    const backoff = new Backoff({ firstMs: 1000, largestMs: 30_000 });
    while (!signal.aborted) {
      if (events.end > this.#written) {
        if (await this.write()) backoff.reset();
        else await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
      } else await events.more(signal).catch(() => {}); // the same
    }
  }

  /** Writes what there is. @returns whether the file took it. */
  async write(): Promise<boolean> {
    const { log, file, events } = this.#parts;
    const { events: found, lost, next } = events.from(this.#written);
    try {
      await file.append(lost === 0 ? found : found.map(counting(lost)));
      this.#written = next;
      if (this.#isFailing) log.info({ lost }, 'events are kept again');
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing)
        log.warn({ code: codeOf(error), err: error }, 'events are in memory alone: their file takes none');
      this.#isFailing = true;
      return false;
    }
  }
}

function counting(lost: number): (event: NodeEvent, index: number) => NodeEvent {
  return (event, index) => (index === 0 ? { ...event, lost: lost + (event.lost ?? 0) } : event);
}
