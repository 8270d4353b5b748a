import { setImmediate } from 'node:timers/promises';

import { codeOf } from '@nodecore/sys';
import { type Clock, within } from '@nodecore/waiting';

import type { EventLog } from '../events/event-log.ts';
import type { Log } from '../log.ts';
import type { Ending } from '../ending.ts';
import { toldWhileSlow } from '../told-while-slow.ts';
import { LifecycleError } from './errors.ts';
import { Sequences } from './sequences.ts';
import type { Sequence } from './take-overs.ts';
import type { Turn } from './turn.ts';

export type BeginOptions = {
  /** Whatever runs; otherwise what the rules allow. */
  readonly takesOver: boolean;
  /** Of the call that is the cause; made when it is not given. */
  readonly actorId?: string;
  /** Nothing is stopped and unmounted; PID 1 syncs and ends it. */
  readonly force?: boolean;
};

export type LifecycleParts = {
  readonly log: Log;
  /** Undefined where another program than our PID 1 has started the agent. */
  readonly init: { readonly say: (ending: Exclude<Ending, 'restart'>) => unknown } | undefined;
  /** Where sequences are told; nowhere unless given. */
  readonly events?: Pick<EventLog, 'emit' | 'as'>;
  /** Ends what callers have running. */
  readonly quiesce: () => Promise<void>;
  readonly clock: Clock;
  /** What a shutdown comes to, by the kernel's command line; `poweroff` unless given. */
  readonly off?: () => Promise<'poweroff' | 'halt'>;
  /** Called with each sequence that begins, and with undefined when it is over. */
  readonly entered?: (sequence: Sequence | undefined) => void;
  /** Called when all the rest is to end in order, and then the machine. */
  readonly end: (ending: Ending) => void;
};

/** As long callers may take to let go. */
const quiesceMs = 60_000;

/** How reboot(2) calls an ending. */
const commands = { reboot: 0x01_23_45_67, poweroff: 0x43_21_fe_dc, halt: 0xcd_ef_01_23 } as const;

const nowhere: Pick<EventLog, 'emit' | 'as'> = {
  emit: (data) => ({ id: '', actorId: '', bootId: '', timeMs: 0, data }),
  as: (_actorId, work) => work(),
};

/** How the machine ends, and what else holds it as a whole. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #events: Pick<EventLog, 'emit' | 'as'>;
  readonly sequences: Sequences;

  constructor(parts: LifecycleParts) {
    const { events = nowhere, entered } = parts;
    this.#parts = parts;
    this.#events = events;
    this.sequences = new Sequences({ events, entered });
  }

  /** Undefined while nothing of the kind runs. */
  get sequence(): Sequence | undefined {
    return this.sequences.running;
  }

  /** Whether this agent can have the machine rebooted. */
  get hasInit(): boolean {
    return this.#parts.init !== undefined;
  }

  /**
   * Begins to end the machine and returns before it has ended.
   *
   * @returns the id of the sequence, for the log and the events.
   * @throws {LifecycleError} and nothing happens.
   */
  begin(sequence: 'reboot' | 'shutdown', { takesOver, force = false, actorId }: BeginOptions): string {
    const { log, init } = this.#parts;
    if (init === undefined)
      throw new LifecycleError(
        'ERR_LIFECYCLE_NO_INIT',
        `the agent was not started by the node's init program, which alone could ${sequence} this machine`,
      );
    const turn = this.sequences.enter(sequence, { takesOver, actorId });
    log.warn({ sequence, force, actorId: turn.actorId }, 'the machine ends');
    void this.#run(turn, force);
    return turn.actorId;
  }

  /**
   * Does some work that no other sequence may run beside.
   *
   * @param work gets its turn, whose signal fires when another sequence takes over.
   * @throws {LifecycleError} `ERR_LIFECYCLE_LOCKED`
   */
  async alone<T>(
    sequence: 'install' | 'upgrade' | 'rollback',
    work: (turn: Turn) => Promise<T>,
    actorId?: string,
  ): Promise<T> {
    const turn = this.sequences.enter(sequence, { actorId });
    try {
      if (turn.before !== undefined) {
        await this.#quietened(turn);
        turn.signal.throwIfAborted();
      }
      const result = await this.#events.as(turn.actorId, () => work(turn));
      turn.end();
      return result;
    } catch (error) {
      turn.end(error);
      throw error;
    }
  }

  async #run(turn: Turn, force: boolean): Promise<void> {
    const { log, init, end, clock, off } = this.#parts;
    await setImmediate(); // the caller is answered first
    const ending = turn.sequence === 'reboot' ? 'reboot' : ((await off?.()) ?? 'poweroff');
    const restarts = (): void =>
      void this.#events.emit({ type: 'restart', cmd: commands[ending] }, turn.actorId);
    if (force) {
      restarts();
      init?.say(ending);
      return;
    }
    try {
      const quiet = turn.phase('denyNewServices', () => this.#denied(turn)).then(() => true);
      if ((await within(clock, quiesceMs, quiet)) === undefined)
        log.error('what callers have running does not end: the machine does');
    } catch (error) {
      log.error({ code: codeOf(error), err: error }, 'calls go on while the machine ends');
    }
    // A shutdown that has taken over meanwhile ends the machine in its own way.
    if (!this.sequences.isRunning(turn)) return turn.end();
    restarts();
    this.#events.as(turn.actorId, () => end(ending));
  }

  async #denied(turn: Turn): Promise<void> {
    const waits = new Set<string>();
    const gone = async (what: string, work: Promise<void>): Promise<void> => {
      waits.add(what);
      await work;
      waits.delete(what);
    };
    const { quiesce } = this.#parts;
    const all = (): Promise<unknown> =>
      Promise.all([
        gone('the sequence that it takes over', this.#quietened(turn)),
        gone('the captures of callers', quiesce()),
      ]);
    await toldWhileSlow('denyNewServices', () => [...waits], all, this.#parts);
  }

  /** What was taken over has ended, or does not end in time: it survives a power cut, and so it does this. */
  async #quietened(turn: Turn): Promise<void> {
    await within(
      this.#parts.clock,
      quiesceMs,
      (turn.before ?? Promise.resolve()).then(() => true),
    );
  }
}
