import { readFile } from 'node:fs/promises';

import { codeOf, writeFileAtomic } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import type { EventLog } from './event-log.ts';

export type SinkCursorParts = {
  /** Which receiver it is of: another one has taken nothing yet. */
  readonly receiver: string;
  /** Where it is kept. @throws `ERR_STATE_NOT_READY` while STATE is not open. */
  readonly path: () => Promise<string>;
  readonly events: Pick<EventLog, 'isPastKnown' | 'placeOf' | 'idBefore'>;
  /** Whether events of runs before this one may still come. */
  readonly mayPastCome: () => boolean;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
};

/** Where the sending of events begins. */
export type SinkStart = {
  readonly place: number;
  /** Events before it that were not sent, as far as that is known. */
  readonly lost: number;
};

/** In place of an id: of all that there is. */
const nothing = '';
const lookMs = 200;
/** A node that does not find its STATE tells of this run meanwhile. */
const patienceMs = 10_000;

/** How far a receiver has taken events, over the end of the agent and of the machine. */
export class SinkCursor {
  readonly #parts: SinkCursorParts;

  constructor(parts: SinkCursorParts) {
    this.#parts = parts;
  }

  /**
   * Waits until events of runs before this one are known, ten seconds at most. Who has taken nothing yet gets those of this run, and
   * so does everybody while nothing of another one is known. Never rejects.
   */
  async start(signal: AbortSignal): Promise<SinkStart> {
    const { events, mayPastCome, clock } = this.#parts;
    const limit = clock.now() + patienceMs;
    while (!events.isPastKnown && mayPastCome() && clock.now() < limit && !signal.aborted)
      await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
    if (!events.isPastKnown) return { place: 0, lost: 0 };
    const id = await this.#read().catch(() => undefined); // STATE is not open, or it is none of ours
    if (id === undefined) {
      // From now on it is known who collects them, also when nothing is taken in this run.
      await this.taken(events.idBefore(0));
      return { place: 0, lost: 0 };
    }
    if (id === nothing) return { place: events.placeOf({ tail: -1 }), lost: 0 };
    try {
      return { place: events.placeOf({ since: id }), lost: 0 };
    } catch (error) {
      if (codeOf(error) !== 'ERR_EVENT_GONE') throw error;
      // So many that it is not kept any more: one at least.
      return { place: events.placeOf({ tail: -1 }), lost: 1 };
    }
  }

  /** The receiver has all up to this event; `''`: nothing yet. What can't be kept comes twice after the next start of the agent. */
  async taken(id: string): Promise<void> {
    const { receiver, path } = this.#parts;
    try {
      await writeFileAtomic(await path(), `${JSON.stringify({ receiver, id })}\n`);
    } catch {
      // STATE is not open, or full
    }
  }

  async #read(): Promise<string | undefined> {
    const { receiver, path } = this.#parts;
    const found: unknown = JSON.parse(await readFile(await path(), 'utf8'));
    if (typeof found !== 'object' || found === null) return undefined;
    const { receiver: of, id } = found as { readonly receiver?: unknown; readonly id?: unknown };
    return of === receiver && typeof id === 'string' ? id : undefined;
  }
}
