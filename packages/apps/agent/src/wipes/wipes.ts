import { type Inventory, partitions, wipe, type WipeMethod } from '@nodecore/block';

import type { VolumeController } from '../volumes/volume-controller.ts';
import { WipeError } from './errors.ts';
import { follow, type WipeProgress } from './follow.ts';
import { chooseTargets, requireNames, type WipeNames, type WipeTarget } from './targets.ts';
import type { WipeEvent } from './wipe-event.ts';

export type WipeOrder = WipeNames & { readonly method: WipeMethod; readonly dryRun: boolean };

export type VolumeWipeOrder = {
  readonly volumes: readonly string[];
  readonly method: WipeMethod;
  readonly dryRun: boolean;
};

export type WipesParts = {
  /** Undefined until all disks were looked at. */
  readonly inventory: { readonly value: Inventory | undefined };
  readonly volumes: Pick<VolumeController, 'statuses' | 'seekersOf' | 'checkWipe' | 'wipe'>;
  /** Whether the volumes are those of a configuration that is in force. */
  readonly isConfigured: () => boolean;
};

/** Wipes volumes, and what belongs to none: one request at a time, one device after the other. */
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
    yield* this.#alone(async function* (this: Wipes) {
      for (const target of targets) {
        const facts = this.#facts(target);
        yield { ...facts, state: 'running' };
        // While others were wiped a volume may have taken it, or another disk its name.
        this.#choose({ ...order, devices: [target.volume.id], identities: [target.identity] });
        const isDone = yield* follow(facts, signal, (options) => perform(target, { ...order, ...options }));
        if (!isDone) return;
      }
    });
  }

  /** The same for volumes. @throws {VolumeError} before anything is touched. */
  async *requestVolumes(
    { volumes: ids, method, dryRun }: VolumeWipeOrder,
    signal: AbortSignal,
  ): AsyncGenerator<WipeEvent, void, undefined> {
    const { volumes } = this.#parts;
    requireNames(ids);
    for (const id of ids) volumes.checkWipe(id);
    if (dryRun) {
      for (const id of ids) yield { ...this.#volumeFacts(id), state: 'planned' };
      return;
    }
    yield* this.#alone(async function* (this: Wipes) {
      for (const id of ids) {
        const facts = this.#volumeFacts(id);
        yield { ...facts, state: 'running' };
        const isDone = yield* follow(facts, signal, (options) => volumes.wipe(id, { method, ...options }));
        if (!isDone) return;
      }
    });
  }

  /** One request at a time. */
  async *#alone(
    work: (this: Wipes) => AsyncGenerator<WipeEvent, void, undefined>,
  ): AsyncGenerator<WipeEvent, void, undefined> {
    if (this.#busy) throw new WipeError('ERR_WIPE_BUSY', 'another wipe is at work: wait for its end');
    this.#busy = true;
    try {
      yield* work.call(this);
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

  #volumeFacts(id: string): Omit<WipeEvent, 'state'> {
    const statuses = this.#parts.volumes.statuses();
    const status = statuses.find((one) => one.id === id);
    return {
      device: id,
      identity: '',
      content: status?.filesystem ?? '',
      sizeBytes: status?.size ?? 0n,
      doneBytes: 0n,
      takers: [],
      closes: statuses.filter(({ parentId }) => parentId === id).map((one) => one.id),
    };
  }
}

type Performance = {
  readonly method: WipeMethod;
  readonly dropPartition: boolean;
} & WipeProgress;

/**
 * The entry goes last: until then the table says where the rest of an interrupted wipe is. It goes with all that it stands for:
 * of a change that was killed before the kernel was told of it, the kernel has less.
 */
async function perform(
  { volume, disk }: WipeTarget,
  { dropPartition, ...options }: Performance,
): Promise<void> {
  const { partitionUuid: partitionGuid } = volume;
  if (dropPartition) await partitions.announce(disk.devPath, { partitionGuid, toRemove: true });
  await wipe.content(volume.devPath, { ...options, sequence: disk.sequence });
  if (dropPartition) await partitions.remove(disk.devPath, partitionGuid);
}
