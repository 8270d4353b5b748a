import { type Inventory, partitions, wipe, type WipeMethod } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';

import type { Volumes } from '../controllers/volumes.ts';
import { WipeError } from './errors.ts';
import { chooseTargets, type WipeNames, type WipeTarget } from './targets.ts';

export type WipeOrder = WipeNames & { readonly method: WipeMethod; readonly dryRun: boolean };

/** How far one device is. */
export type WipeEvent = {
  readonly device: string;
  readonly identity: string;
  readonly state: 'planned' | 'running' | 'done' | 'failed';
  readonly content: string;
  readonly sizeBytes: bigint;
  readonly doneBytes: bigint;
  /** Volumes that may take the disk as soon as it is blank. */
  readonly takers: readonly string[];
  readonly code?: string;
  readonly message?: string;
};

export type WipesParts = {
  /** Undefined until all disks were looked at. */
  readonly inventory: { readonly value: Inventory | undefined };
  readonly volumes: Pick<Volumes, 'statuses' | 'seekersOf'>;
  /** Whether the volumes are those of a configuration that is in force. */
  readonly isConfigured: () => boolean;
};

/** Wipes what belongs to no volume: one request at a time, one device after the other. */
export class Wipes {
  readonly #parts: WipesParts;
  #busy = false;

  constructor(parts: WipesParts) {
    this.#parts = parts;
  }

  /**
   * Checks everything, then wipes; who stops reading, or aborts, ends it after the range in hand.
   *
   * @throws {WipeError} before anything is touched. A device that fails is told in the last event.
   */
  async *request(order: WipeOrder, signal: AbortSignal): AsyncGenerator<WipeEvent, void, undefined> {
    const targets = this.#choose(order);
    if (order.dryRun) {
      for (const target of targets) yield { ...this.#facts(target), state: 'planned' };
      return;
    }
    if (this.#busy) throw new WipeError('ERR_WIPE_BUSY', 'another wipe is at work: wait for its end');
    this.#busy = true;
    try {
      for (const target of targets) {
        yield { ...this.#facts(target), state: 'running' };
        // While others were wiped a volume may have taken it, or another disk its name.
        this.#choose({ ...order, devices: [target.volume.id], identities: [target.identity] });
        const failure = yield* this.#wipe(target, order, signal);
        if (failure === undefined) continue;
        signal.throwIfAborted();
        yield failure;
        return;
      }
    } finally {
      this.#busy = false;
    }
  }

  #choose(names: WipeNames): readonly WipeTarget[] {
    const { inventory, volumes, isConfigured } = this.#parts;
    if (!isConfigured())
      throw new WipeError('ERR_WIPE_BUSY', 'the volumes of the node are not known yet: try again');
    if (inventory.value === undefined)
      throw new WipeError('ERR_WIPE_BUSY', 'the disks are still being looked at: try again');
    const ground = { inventory: inventory.value, statuses: volumes.statuses() };
    return chooseTargets(names, ground);
  }

  #facts({ volume, disk, identity }: WipeTarget): Omit<WipeEvent, 'state'> {
    return {
      device: volume.id,
      identity,
      content: volume.name,
      sizeBytes: volume.size,
      doneBytes: 0n,
      takers: this.#parts.volumes.seekersOf(disk),
    };
  }

  /** @returns how it failed. */
  async *#wipe(
    target: WipeTarget,
    { method, dropPartition }: WipeOrder,
    signal: AbortSignal,
  ): AsyncGenerator<WipeEvent, WipeEvent | undefined, undefined> {
    const facts = this.#facts(target);
    const stopping = new AbortController();
    let doneBytes = 0n;
    let news = Promise.withResolvers<'news'>();
    const onProgress = (done: bigint): void => {
      doneBytes = done;
      news.resolve('news');
    };
    const ends = AbortSignal.any([signal, stopping.signal]);
    const work = perform(target, { method, dropPartition, onProgress, signal: ends });
    const ended = work.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    try {
      while ((await Promise.race([news.promise, ended])) === 'news') {
        news = Promise.withResolvers();
        yield { ...facts, state: 'running', doneBytes };
      }
      const failure = await ended;
      if (failure === undefined) {
        yield { ...facts, state: 'done', doneBytes: facts.sizeBytes };
        return undefined;
      }
      const { error } = failure;
      const message = error instanceof Error ? error.message : String(error);
      return { ...facts, state: 'failed', doneBytes, code: codeOf(error) ?? 'ERR_WIPE_FAILED', message };
    } finally {
      stopping.abort();
      await ended; // nobody writes any more when this generator is over
    }
  }
}

type Performance = {
  readonly method: WipeMethod;
  readonly dropPartition: boolean;
  readonly onProgress: (doneBytes: bigint) => void;
  readonly signal: AbortSignal;
};

/** The entry goes last: until then the table says where the rest of an interrupted wipe is. */
async function perform(
  { volume, disk }: WipeTarget,
  { dropPartition, ...options }: Performance,
): Promise<void> {
  await wipe.content(volume.devPath, { ...options, sequence: disk.sequence });
  if (dropPartition) await partitions.remove(disk.devPath, volume.partitionUuid);
}
