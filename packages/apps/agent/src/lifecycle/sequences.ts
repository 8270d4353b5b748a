import type { EventLog } from '../events/event-log.ts';
import { LifecycleError } from './errors.ts';
import { endings, type Sequence, takeOvers } from './take-overs.ts';
import { Turn } from './turn.ts';

export type SequencesParts = {
  readonly events: Pick<EventLog, 'emit' | 'as'>;
  /** Called with each sequence that begins, and with undefined when it is over. */
  readonly entered?: ((sequence: Sequence | undefined) => void) | undefined;
};

export type EnterOptions = {
  /** Of the call that is the cause; made when it is not given. */
  readonly actorId?: string | undefined;
  /** Whatever runs: the node itself has decided. */
  readonly takesOver?: boolean | undefined;
};

const writing: ReadonlySet<Sequence> = new Set(['upgrade', 'install']);

/** What the machine as a whole is on its way to: one thing at a time, and {@link takeOvers} says what comes before what. */
export class Sequences {
  readonly #parts: SequencesParts;
  #running: Turn | undefined;

  constructor(parts: SequencesParts) {
    this.#parts = parts;
  }

  /** Undefined while nothing of the kind runs. */
  get running(): Sequence | undefined {
    return this.#running?.sequence;
  }

  /** Whether this is the one that runs. */
  isRunning(turn: Turn): boolean {
    return this.#running === turn;
  }

  /**
   * Begins a sequence. What it takes over from is told to end; who begins waits for that.
   *
   * @throws {LifecycleError} `ERR_LIFECYCLE_LOCKED`, with what runs.
   */
  enter(sequence: Sequence, { actorId, takesOver = false }: EnterOptions = {}): Turn {
    const { events, entered } = this.#parts;
    const running = this.#running;
    if (running !== undefined && !takesOver && !takeOvers[running.sequence].has(sequence)) {
      const message = refusalOf(running.sequence, sequence);
      events.emit(
        { type: 'sequence', sequence, action: 'noop', error: { code: 'locked', message } },
        actorId,
      );
      throw new LifecycleError('ERR_LIFECYCLE_LOCKED', message);
    }
    const turn = new Turn({
      sequence,
      actorId,
      events,
      before: running?.over,
      owes: running && (endings[running.sequence] ?? running.owes),
      ended: (ended) => {
        if (this.#running !== ended) return; // another one has taken over
        this.#running = undefined;
        entered?.(undefined);
      },
    });
    this.#running = turn;
    entered?.(sequence);
    running?.cancel(new LifecycleError('ERR_LIFECYCLE_CANCELED', `a ${sequence} has taken over`));
    return turn;
  }
}

function refusalOf(running: Sequence, requested: Sequence): string {
  if (!writing.has(running)) return `locked: a ${running} is already in progress`;
  const what = writing.has(requested)
    ? 'another installation/upgrade'
    : 'locked: another installation/upgrade';
  return `${what} is already in progress`;
}
