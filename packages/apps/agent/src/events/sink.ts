import { hostname } from 'node:os';

import type { NodeEventInit, PublishRequestInit } from '@nodecore/api/event';
import { Backoff, type Clock, onAbort } from '@nodecore/waiting';

import type { EventLog } from './event-log.ts';
import { wireEvent } from './event-wire.ts';
import type { SinkCursor } from './sink-cursor.ts';

/** Events of one call. */
const batchSize = 64;
/** What is left may be sent so long when the agent ends. */
const drainMs = 2000;
/** A receiver says what it wants. */
const longestReason = 200;

export type SinkParts = {
  readonly events: EventLog;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Resolves when the receiver has them. */
  readonly publish: (request: PublishRequestInit, signal: AbortSignal) => Promise<void>;
  /** What the receiver has from runs before this one; without it, it has nothing, and gets the events of this run. */
  readonly cursor?: Pick<SinkCursor, 'start' | 'taken'>;
};

/**
 * Sends events to who collects them, each until it is taken, in their order. What waits lies in the log, which is bounded: what it
 * drops meanwhile is counted in the next event that is sent.
 */
export class Sink {
  readonly #parts: SinkParts;
  /** The place behind what was taken. */
  #place = 0;
  #sent = 0;
  #lost = 0;
  #error: string | undefined;

  constructor(parts: SinkParts) {
    this.#parts = parts;
  }

  /** Events that were taken. */
  get sent(): number {
    return this.#sent;
  }

  /** Events that the log has dropped before they could be sent. */
  get lost(): number {
    return this.#lost;
  }

  /** Events that wait to be sent. */
  get waiting(): number {
    return this.#parts.events.end - this.#place;
  }

  /** Why nothing is taken at the moment. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Until the signal fires, and then until all that was there is taken, 2 s at most. Never rejects. */
  async run(stopping: AbortSignal): Promise<void> {
    const { events, clock, cursor } = this.#parts;
    const end = new AbortController();
    using _stopping = onAbort(stopping, () => {
      clock.sleep(drainMs, end.signal).then(
        () => end.abort(),
        () => {}, // drained before
      );
    });
    const { place = 0, lost: before = 0 } = (await cursor?.start(end.signal)) ?? {};
    this.#place = place;
    this.#lost = before;
    let unsent = before;
    while (!end.signal.aborted) {
      const { events: found, lost } = events.from(this.#place);
      this.#place += lost;
      this.#lost += lost;
      unsent += lost;
      const [first, ...others] = found.slice(0, batchSize).map(wireEvent);
      if (first !== undefined) {
        const counted = { ...first, lost: (first.lost ?? 0n) + BigInt(unsent) };
        unsent = 0;
        await this.#send([counted, ...others], end.signal);
      } else if (stopping.aborted) end.abort();
      else await events.more(stopping).catch(() => {}); // the loop asks the signal
    }
  }

  async #send(batch: NodeEventInit[], signal: AbortSignal): Promise<void> {
    const { clock, publish } = this.#parts;
    const backoff = new Backoff({ firstMs: 500, largestMs: 30_000 });
    while (!signal.aborted) {
      try {
        await publish({ events: batch, hostname: hostname() }, signal);
        this.#place += batch.length;
        this.#sent += batch.length;
        this.#error = undefined;
        await this.#parts.cursor?.taken(batch.at(-1)?.id ?? '');
        return;
      } catch (error) {
        if (signal.aborted) return;
        const text = error instanceof Error ? error.message : 'failed';
        this.#error = text.slice(0, longestReason);
        await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
      }
    }
  }
}
