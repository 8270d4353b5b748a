import { Signal } from '@nodecore/waiting';

import type { ResourceEvent } from './resource.ts';

/** What a reader gets: the events after its place, or the news that some of them are gone. */
export type HistoryRead<Event> = { readonly lost: boolean; readonly events: readonly Event[] };

/** The last changes of one kind of resource, oldest first, with a bound on their number. */
export class History<Event extends { readonly revision: number } = ResourceEvent> {
  readonly #limit: number;
  #events: Event[] = [];
  /** Revision of the newest event that was dropped, or from before the history began. */
  #floor: number;
  readonly #appended = new Signal();

  constructor(limit: number, floor: number) {
    this.#limit = limit;
    this.#floor = floor;
  }

  append(event: Event): void {
    this.#events.push(event);
    // Dropping a quarter at once keeps the cost of an append flat.
    if (this.#events.length > this.#limit) {
      const dropped = this.#events.splice(0, Math.max(1, this.#limit >> 2));
      this.#floor = dropped.at(-1)?.revision ?? this.#floor;
    }
    this.#appended.notify();
  }

  /** The events after `revision`. */
  after(revision: number): HistoryRead<Event> {
    if (revision < this.#floor) return { lost: true, events: [] };
    return { lost: false, events: this.#events.filter((event) => event.revision > revision) };
  }

  /** Resolves at the next append, or when the signal fires. */
  async next(signal?: AbortSignal): Promise<void> {
    await this.#appended.next(signal).catch(() => {}); // who follows asks the signal
  }
}
