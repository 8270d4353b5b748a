import { AsyncLocalStorage } from 'node:async_hooks';

import { type Clock, Signal } from '@nodecore/waiting';

import { EventError } from './errors.ts';
import type { EventData, NodeEvent } from './event.ts';
import { EventIds } from './event-ids.ts';

const defaultMax = 1000;

export type EventLogParts = {
  readonly clock: Pick<Clock, 'now'>;
  readonly bootId: string;
  /** Events that are kept in memory; 1000 by default. */
  readonly max?: number;
};

/** Where the answer to a reader begins. At most one of them; none: with what comes next. */
export type EventsStart = {
  /** How many of the past; -1: all. */
  readonly tail?: number;
  /** Behind this event. */
  readonly since?: string;
  readonly seconds?: number;
};

/** What there is behind a place. */
export type EventsSlice = {
  readonly events: readonly NodeEvent[];
  /** How many of them are not kept any more. */
  readonly lost: number;
  /** The place behind them. */
  readonly next: number;
};

/**
 * The newest events of the node, in memory; those of earlier boots stand before them when the past is known. Nothing is buffered
 * per reader: places are numbers, which stay what they are.
 */
export class EventLog {
  readonly #parts: EventLogParts;
  readonly #max: number;
  readonly #ids = new EventIds();
  readonly #changed = new Signal();
  readonly #actor = new AsyncLocalStorage<string>();
  #events: NodeEvent[] = [];
  /** The place of the first event; the first of this run is 0, and the past lies below. */
  #first = 0;
  #isPastKnown = false;
  readonly #counts = new Map<EventData['type'], number>();

  constructor(parts: EventLogParts) {
    this.#parts = parts;
    this.#max = parts.max ?? defaultMax;
  }

  /** Whose events those are that come now; empty: nobody's. */
  get actor(): string {
    return this.#actor.getStore() ?? '';
  }

  /** Does some work whose events have this actor, also those of what it calls and waits for. */
  as<T>(actorId: string, work: () => T): T {
    return this.#actor.run(actorId, work);
  }

  /** @param actorId of the call or the sequence that is the cause; {@link actor} unless given. */
  emit(data: EventData, actorId: string = this.actor): NodeEvent {
    const { clock, bootId } = this.#parts;
    const timeMs = clock.now();
    const event: NodeEvent = { id: this.#ids.next(timeMs), actorId, bootId, timeMs, data };
    this.#events.push(event);
    this.#counts.set(data.type, (this.#counts.get(data.type) ?? 0) + 1);
    this.#trim();
    this.#changed.notify();
    return event;
  }

  /** Puts what happened before this run in front; ids grow from there on. Once: a second past would stand behind the first one. */
  setPast(past: readonly NodeEvent[]): void {
    if (this.#isPastKnown) throw new TypeError('the past is known already');
    this.#isPastKnown = true;
    const newest = past.at(-1);
    if (newest !== undefined) this.#ids.behind(newest.id);
    this.#events = [...past, ...this.#events];
    this.#first -= past.length;
    this.#trim();
  }

  /** How many of this run there were of each type. */
  get counts(): ReadonlyMap<EventData['type'], number> {
    return this.#counts;
  }

  /** Whether the events of earlier runs are here. */
  get isPastKnown(): boolean {
    return this.#isPastKnown;
  }

  /** The place behind the newest event. */
  get end(): number {
    return this.#first + this.#events.length;
  }

  /** The id of the event before a place; empty when there is none. */
  idBefore(place: number): string {
    return this.#events[place - 1 - this.#first]?.id ?? '';
  }

  /** What there is from a place on. */
  from(place: number): EventsSlice {
    const lost = Math.max(0, this.#first - place);
    return { lost, events: this.#events.slice(Math.max(0, place - this.#first)), next: this.end };
  }

  /** Resolves with the next event. No event falls between {@link from} and this when nothing is awaited between them. */
  more(signal: AbortSignal): Promise<void> {
    return this.#changed.next(signal);
  }

  /**
   * The place where an answer begins.
   *
   * @throws {EventError} `ERR_EVENT_GONE` for an event that is not here; `ERR_EVENT_EARLY` while it may be one of the past.
   */
  placeOf({ tail = 0, since, seconds }: EventsStart, mayPastCome: boolean = false): number {
    if (since !== undefined) return this.#behind(since, mayPastCome);
    if (seconds !== undefined) {
      const after = this.#parts.clock.now() - seconds * 1000;
      // By place and not by time: a clock may have been set back meanwhile.
      const index = this.#events.findIndex(({ timeMs }) => timeMs >= after);
      return index === -1 ? this.end : this.#first + index;
    }
    return tail < 0 ? this.#first : Math.max(this.#first, this.end - tail);
  }

  #behind(id: string, mayPastCome: boolean): number {
    const index = this.#events.findIndex((event) => event.id === id);
    if (index !== -1) return this.#first + index + 1;
    if (!this.#isPastKnown && mayPastCome)
      throw new EventError('ERR_EVENT_EARLY', 'events of earlier boots are not known before STATE is open');
    const [oldest] = this.#events;
    const kept = oldest === undefined ? 'there is none' : `the oldest that is kept is ${oldest.id}`;
    throw new EventError('ERR_EVENT_GONE', `there is no event ${id} any more: ${kept}`);
  }

  #trim(): void {
    const extra = this.#events.length - this.#max;
    if (extra <= 0) return;
    this.#events.splice(0, extra);
    this.#first += extra;
  }
}
