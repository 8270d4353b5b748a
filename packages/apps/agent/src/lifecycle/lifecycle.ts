import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { codeOf } from '@nodecore/sys';
import { type Clock, within } from '@nodecore/waiting';

import type { InitChannel } from '../init/init-channel.ts';
import type { Log } from '../log.ts';
import type { Ending } from '../node.ts';
import { LifecycleError } from './errors.ts';

/** What the machine is on its way to. */
export type Sequence = 'reboot' | 'shutdown' | 'upgrade';

export type BeginOptions = {
  /** Also while another sequence runs. */
  readonly takesOver: boolean;
  /** Nothing is stopped and unmounted; PID 1 syncs and ends it. */
  readonly force?: boolean;
};

export type LifecycleParts = {
  readonly log: Log;
  /** Undefined where another program than our PID 1 has started the agent. */
  readonly init: Pick<InitChannel, 'say'> | undefined;
  /** Throws while the node is being reset. */
  readonly requireIdle: () => void;
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

/** The sequences of the machine as a whole: one at a time, but for those that take over. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  #sequence: Sequence | undefined;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  /** Undefined while nothing of the kind runs. */
  get sequence(): Sequence | undefined {
    return this.#sequence;
  }

  /** Whether this agent can have the machine rebooted. */
  get hasInit(): boolean {
    return this.#parts.init !== undefined;
  }

  /**
   * Begins to end the machine and returns before it has ended.
   *
   * @returns the id of the sequence, for the log.
   * @throws {LifecycleError} and nothing happens.
   */
  begin(sequence: 'reboot' | 'shutdown', { takesOver, force = false }: BeginOptions): string {
    const { log, init, requireIdle } = this.#parts;
    if (init === undefined)
      throw new LifecycleError(
        'ERR_LIFECYCLE_NO_INIT',
        `the agent was not started by the node's init program, which alone could ${sequence} this machine`,
      );
    if (!takesOver) {
      requireIdle();
      this.#requireNone();
    }
    const actorId = randomUUID();
    this.#enter(sequence);
    log.warn({ sequence, force, actorId }, 'the machine ends');
    void this.#run(sequence, force);
    return actorId;
  }

  /** Does some work that no other sequence may run beside. @throws {LifecycleError} `ERR_LIFECYCLE_LOCKED` */
  async alone<T>(sequence: 'upgrade', work: () => Promise<T>): Promise<T> {
    this.#parts.requireIdle();
    this.#requireNone();
    this.#enter(sequence);
    try {
      return await work();
    } finally {
      // A shutdown may have taken over.
      if (this.#sequence === sequence) this.#enter(undefined);
    }
  }

  async #run(sequence: 'reboot' | 'shutdown', force: boolean): Promise<void> {
    const { log, init, quiesce, end, clock, off } = this.#parts;
    await setImmediate(); // the caller is answered first
    const ending = sequence === 'reboot' ? 'reboot' : ((await off?.()) ?? 'poweroff');
    if (force) {
      init?.say(ending);
      return;
    }
    try {
      const quiet = quiesce().then(() => true);
      if ((await within(clock, quiesceMs, quiet)) === undefined)
        log.error('what callers have running does not end: the machine does');
    } catch (error) {
      log.error({ code: codeOf(error), err: error }, 'calls go on while the machine ends');
    }
    // A shutdown that has taken over meanwhile ends the machine in its own way.
    if (this.#sequence === sequence) end(ending);
  }

  #requireNone(): void {
    const running = this.#sequence;
    if (running === undefined) return;
    const what = running === 'upgrade' ? 'another installation/upgrade' : `a ${running}`;
    throw new LifecycleError('ERR_LIFECYCLE_LOCKED', `${what} is already in progress`);
  }

  #enter(sequence: Sequence | undefined): void {
    this.#sequence = sequence;
    this.#parts.entered?.(sequence);
  }
}
