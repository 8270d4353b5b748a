import { randomUUID } from 'node:crypto';

import { codeOf } from '@nodecore/sys';

import type { SequenceFailure } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Sequence } from './take-overs.ts';

export type TurnParts = {
  readonly sequence: Sequence;
  /** Of the call that is the cause; made when it is not given, empty when nobody asked. */
  readonly actorId?: string | undefined;
  readonly events: Pick<EventLog, 'emit' | 'as'>;
  /** Resolves when what ran before has ended; undefined when nothing did. */
  readonly before: Promise<void> | undefined;
  /** How the machine was to end before this one took over; undefined when it was not. */
  readonly owes?: 'reboot' | 'shutdown' | undefined;
  readonly ended: (turn: Turn) => void;
};

/** One sequence while it runs, with the events that it has. */
export class Turn {
  readonly #parts: TurnParts;
  readonly #taken = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  #isOver = false;
  #phase: string | undefined;
  readonly sequence: Sequence;
  readonly actorId: string;

  constructor(parts: TurnParts) {
    const { sequence, events, actorId = randomUUID() } = parts;
    this.#parts = parts;
    this.sequence = sequence;
    this.actorId = actorId;
    events.emit({ type: 'sequence', sequence, action: 'start' }, actorId);
  }

  /** Fires when another sequence takes over. */
  get signal(): AbortSignal {
    return this.#taken.signal;
  }

  /** Resolves when what was taken over has ended; undefined when nothing was. */
  get before(): Promise<void> | undefined {
    return this.#parts.before;
  }

  /** How the machine ends when this one fails; undefined when it goes on. */
  get owes(): 'reboot' | 'shutdown' | undefined {
    return this.#parts.owes;
  }

  /** Resolves when it has ended. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Another one takes over. */
  cancel(reason: Error): void {
    this.#taken.abort(reason);
  }

  /** A part of it: events that come of the work are its own. */
  async phase<T>(phase: string, work: () => Promise<T> | T): Promise<T> {
    const { events } = this.#parts;
    return await events.as(this.actorId, async () => {
      events.emit({ type: 'phase', phase, action: 'start' });
      try {
        return await work();
      } finally {
        events.emit({ type: 'phase', phase, action: 'stop' });
      }
    });
  }

  /** Begins a part of it, where the one before has ended: for work that says itself how far it is. The same one again is nothing. */
  enterPhase(phase: string | undefined): void {
    if (phase === this.#phase) return;
    const { events } = this.#parts;
    if (this.#phase !== undefined)
      events.emit({ type: 'phase', phase: this.#phase, action: 'stop' }, this.actorId);
    this.#phase = phase;
    if (phase !== undefined) events.emit({ type: 'phase', phase, action: 'start' }, this.actorId);
  }

  /** It is over; twice is fine. @param failure why it did not come to its end. */
  end(failure?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.enterPhase(undefined);
    const { events, ended } = this.#parts;
    const error = failure === undefined && !this.signal.aborted ? undefined : this.#reasonOf(failure);
    const { sequence, actorId } = this;
    events.emit({ type: 'sequence', sequence, action: 'stop', ...(error && { error }) }, actorId);
    this.#over.resolve();
    ended(this);
  }

  #reasonOf(failure: unknown): SequenceFailure {
    if (this.signal.aborted) return { code: 'canceled', message: (this.signal.reason as Error).message };
    const code = codeOf(failure);
    // A defect of ours, which has no code, may have anything in its message.
    const message =
      failure instanceof Error && code !== undefined ? `${failure.message} (${code})` : 'internal error';
    return { code: 'fatal', message };
  }
}
