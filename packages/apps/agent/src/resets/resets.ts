import { setImmediate } from 'node:timers/promises';

import type { Inventory } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';
import type { VolumeStatus } from '@nodecore/volumes';
import { ProgressLog } from '@nodecore/waiting';

import type { Ending } from '../ending.ts';
import { ResetError } from './errors.ts';
import type { WipeNews } from '../persistence/perform-reset.ts';
import type { Turn } from '../lifecycle/turn.ts';
import { planReset, type ResetNames, type ResetPlan } from './plan.ts';
import type { ResetRecord } from '../persistence/reset-record.ts';

export type ResetOrder = ResetNames & {
  /** The kvstore is left in order first, where its data goes. */
  readonly graceful: boolean;
  readonly reboot: boolean;
  readonly dryRun: boolean;
  /** Of the plan that was shown; `''`: whatever the names mean now. */
  readonly digest: string;
};

/** How far a reset is. */
export type ResetEvent = {
  readonly step: 'planned' | 'leaving' | 'closing' | 'wiping' | 'done' | 'failed';
  /** A label or a disk, of what is planned or wiped. */
  readonly name?: string;
  readonly devPath?: string;
  readonly content?: string;
  readonly sizeBytes?: bigint;
  readonly doneBytes?: bigint;
  readonly digest?: string;
  readonly message?: string;
  readonly code?: string;
  /** Of the sequence, in the events of the node. */
  readonly actorId?: string;
};

export type ResetsParts = {
  /** Whether the machine is the node's own; on a host there is nothing to reset. */
  readonly isOwnMachine: boolean;
  /** Holds the machine as a whole. @throws when something else does. */
  readonly enter?: () => Turn;
  readonly inventory: { readonly value: Inventory | undefined };
  readonly statuses: () => readonly VolumeStatus[];
  readonly isConfigured: () => boolean;
  /** Leaves the kvstore, where its data is on one of the volumes or the node forgets its configuration. */
  readonly leave: (volumes: ReadonlySet<string>) => Promise<void>;
  /** Ends everything but the API, unmounts and locks all volumes. @throws when one of them can't be closed. */
  readonly halt: () => Promise<void>;
  /** Makes the reset certain. @throws before, when something of it is in use. */
  readonly begin: (record: ResetRecord, inventory: Inventory) => Promise<void>;
  readonly perform: (inventory: Inventory, tell: (news: WipeNews) => void) => Promise<void>;
  /** Called when the agent is to begin anew, or the machine. */
  readonly end: (ending: Ending) => void;
};

/**
 * Resets of the node: everything ends in order, then what was named is wiped, then the agent or the machine begins anew. The
 * caller may go: from the moment at which services end nothing stops it.
 */
export class Resets {
  readonly #parts: ResetsParts;
  #isRunning = false;
  /** Why the last one did not come to its end. */
  #failure: unknown;

  constructor(parts: ResetsParts) {
    this.#parts = parts;
  }

  /** @throws {ResetError} `ERR_RESET_BUSY` while the node is being reset. */
  requireIdle(): void {
    if (this.#isRunning) throw new ResetError('ERR_RESET_BUSY', 'the node is being reset');
  }

  /** Checks everything, then does it. @throws {ResetError} before anything is touched. */
  async *request(order: ResetOrder): AsyncGenerator<ResetEvent, void, undefined> {
    const plan = this.#plan(order);
    if (order.dryRun) {
      for (const target of plan.targets) yield { step: 'planned', ...target, digest: plan.digest };
      return;
    }
    if (order.digest !== '' && order.digest !== plan.digest)
      throw new ResetError(
        'ERR_RESET_REFUSED',
        'what would be wiped is not what was shown any more: look again',
      );
    this.requireIdle();
    const turn = this.#parts.enter?.();
    this.#isRunning = true;
    this.#failure = undefined;
    const log = new ProgressLog<ResetEvent>();
    const tell = (event: ResetEvent): void =>
      log.append({ ...event, ...(turn && { actorId: turn.actorId }) });
    const work = this.#run(plan, order, { tell, turn }).finally(() => log.end());
    try {
      yield* log.entries();
    } finally {
      void this.#finish(work, turn);
    }
  }

  async #finish(work: Promise<Ending | undefined>, turn: Turn | undefined): Promise<void> {
    const ending = await work;
    await setImmediate(); // the answer to the caller ends in order, before the server does
    const isTaken = turn?.signal.aborted === true;
    turn?.end(this.#failure);
    if (ending === undefined) this.#isRunning = false;
    else if (!isTaken) this.#parts.end(ending); // who has taken over ends the machine
  }

  #plan(order: ResetOrder): ResetPlan {
    const { isOwnMachine, inventory, isConfigured, statuses } = this.#parts;
    if (!isOwnMachine)
      throw new ResetError(
        'ERR_RESET_HOST',
        'the agent keeps its state in a directory of this host (--state), which is neither wiped nor rebooted by it: ' +
          'take its volumes out of the configuration, or use osctl wipe',
      );
    if (inventory.value === undefined || !isConfigured())
      throw new ResetError(
        'ERR_RESET_BUSY',
        'the disks and volumes of the node are not known yet: try again',
      );
    return planReset(order, { inventory: inventory.value, statuses: statuses() });
  }

  /** @returns what comes next; undefined when nothing was changed. */
  async #run(
    plan: ResetPlan,
    { graceful, reboot }: ResetOrder,
    { tell, turn }: { readonly tell: (event: ResetEvent) => void; readonly turn: Turn | undefined },
  ): Promise<Ending | undefined> {
    const { leave, halt, begin, perform } = this.#parts;
    const phase = async (name: string, work: () => Promise<void>): Promise<void> => {
      turn?.signal.throwIfAborted();
      await (turn === undefined ? work() : turn.phase(name, work));
    };
    const inventory = (): Inventory => this.#parts.inventory.value ?? { disks: [], volumes: [] };
    const failed = (error: unknown, next: string): void => {
      this.#failure = error;
      tell({ step: 'failed', code: codeOf(error) ?? 'none', message: `${messagesOf(error)}; ${next}` });
    };
    if (graceful) {
      tell({ step: 'leaving' });
      try {
        await phase('leave', () => leave(plan.volumes));
      } catch (error) {
        failed(error, 'nothing was changed; without --graceful it is not left in order');
        return undefined;
      }
    }
    tell({ step: 'closing' });
    try {
      await phase('stopEverything', halt);
      await phase('preReset', () => begin(plan.record, inventory()));
    } catch (error) {
      failed(error, 'nothing was wiped, and the node begins anew');
      return 'restart';
    }
    try {
      const sizes = new Map(plan.targets.map(({ name, sizeBytes }) => [name, sizeBytes]));
      const wiping = ({ name, state, doneBytes }: WipeNews): void => {
        const sizeBytes = sizes.get(name) ?? 0n;
        const message = state === 'absent' ? { message: 'is not here any more' } : {};
        tell({
          step: 'wiping',
          name,
          sizeBytes,
          doneBytes: state === 'done' ? sizeBytes : doneBytes,
          ...message,
        });
      };
      await phase('wipe', () => perform(inventory(), wiping));
    } catch (error) {
      failed(error, 'the node begins anew and goes on with it');
      return 'restart';
    }
    tell({ step: 'done' });
    return reboot ? 'reboot' : 'restart';
  }
}

function messagesOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messagesOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
