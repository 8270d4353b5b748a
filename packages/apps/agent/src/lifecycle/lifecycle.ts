import { setImmediate } from 'node:timers/promises';

import { codeOf } from '@nodecore/sys';
import { type Clock, within } from '@nodecore/waiting';

import type { EventLog } from '../events/event-log.ts';
import type { Log } from '../log.ts';
import type { Ending, ForcedEnding } from '../ending.ts';
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
  /** Nothing ends in order; PID 1 writes back what it can within seconds, and ends the machine. */
  readonly force?: boolean;
  /** A reboot may start the next kernel without the firmware, where that is proven. */
  readonly kexec?: boolean;
};

/** The way past the firmware. */
export type DirectStart = {
  /** Loads the kernel that the firmware would start. @returns why it is left to the firmware; undefined when it is loaded. */
  readonly load: (signal: AbortSignal) => Promise<string | undefined>;
  /** What was loaded is not started after all. */
  readonly forget: () => Promise<void>;
};

export type LifecycleParts = {
  readonly log: Log;
  /** Undefined where another program than our PID 1 has started the agent. */
  readonly init: { readonly say: (forced: ForcedEnding) => unknown } | undefined;
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

/** As long a kernel may take to be proven and loaded. */
const loadMs = 120_000;

/** How reboot(2) calls an ending. */
const commands = {
  reboot: 0x01_23_45_67,
  kexec: 0x45_58_45_43,
  poweroff: 0x43_21_fe_dc,
  halt: 0xcd_ef_01_23,
} as const;

const nowhere: Pick<EventLog, 'emit' | 'as'> = {
  emit: (data) => ({ id: '', actorId: '', bootId: '', timeMs: 0, data }),
  as: (_actorId, work) => work(),
};

/** How the machine ends, and what else holds it as a whole. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #events: Pick<EventLog, 'emit' | 'as'>;
  readonly sequences: Sequences;
  #directStart: DirectStart | undefined;

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

  /** From now on a reboot may go past the firmware. */
  offer(directStart: DirectStart): void {
    this.#directStart = directStart;
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
  begin(sequence: 'reboot' | 'shutdown', options: BeginOptions): string {
    const { takesOver, force = false, kexec = false, actorId } = options;
    const { log, init } = this.#parts;
    if (init === undefined)
      throw new LifecycleError(
        'ERR_LIFECYCLE_NO_INIT',
        `the agent was not started by the node's init program, which alone could ${sequence} this machine`,
      );
    const turn = this.sequences.enter(sequence, { takesOver, actorId });
    log.warn({ sequence, force, actorId: turn.actorId }, 'the machine ends');
    void this.#run(turn, { force, kexec });
    return turn.actorId;
  }

  /**
   * Does some work that no other sequence may run beside. When it fails, and has taken over from what was to end the machine, that
   * still happens: nobody else would do it, and the machine would stay half ended.
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
      const { owes, actorId: actor } = turn;
      const isLast = this.sequences.isRunning(turn);
      turn.end(error);
      if (isLast && owes !== undefined && this.hasInit)
        this.begin(owes, { takesOver: false, actorId: actor });
      throw error;
    }
  }

  async #run(turn: Turn, { force, kexec }: Required<Pick<BeginOptions, 'force' | 'kexec'>>): Promise<void> {
    const { log, init, end, clock, off } = this.#parts;
    await setImmediate(); // the caller is answered first
    const ending = turn.sequence === 'reboot' ? 'reboot' : ((await off?.()) ?? 'poweroff');
    const restarts = (how: keyof typeof commands, reason?: string): void => {
      const why = reason === undefined ? {} : { reason };
      this.#events.emit({ type: 'restart', cmd: commands[how], ...why }, turn.actorId);
    };
    if (force) {
      restarts(ending);
      init?.say(`force-${ending}`);
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
    const direct = kexec && ending === 'reboot' ? this.#directStart : undefined;
    const reason = direct && (await this.#loaded(turn, direct));
    const how = direct !== undefined && reason === undefined ? 'kexec' : ending;
    if (!this.sequences.isRunning(turn)) {
      if (how === 'kexec') await direct?.forget();
      return turn.end();
    }
    restarts(how, reason);
    this.#events.as(turn.actorId, () => end(how));
  }

  /** @returns why the firmware starts the machine: never an error, and no reason to stay. */
  async #loaded(turn: Turn, direct: DirectStart): Promise<string | undefined> {
    const { log, clock } = this.#parts;
    const late = new AbortController();
    const signal = AbortSignal.any([turn.signal, late.signal]);
    const work = turn
      .phase('kexec', () => direct.load(signal))
      .then(
        (reason) => ({ reason }),
        (error: unknown) => {
          log.warn({ code: codeOf(error), err: error }, 'no kernel is loaded');
          return { reason: `no kernel is loaded: ${wordsOf(error)}` };
        },
      );
    const loaded = await within(clock, loadMs, work);
    const reason = loaded === undefined ? 'to load it takes longer than two minutes' : loaded.value.reason;
    late.abort();
    log.info(
      { reason },
      reason === undefined ? 'the next kernel is loaded' : 'the firmware starts the machine',
    );
    return reason;
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

/** A defect of ours, which has no code, may have anything in its message. */
function wordsOf(error: unknown): string {
  const code = codeOf(error);
  return code === undefined || !(error instanceof Error) ? 'internal error' : `${error.message} (${code})`;
}
