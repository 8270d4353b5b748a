import type { Inventory } from '@nodecore/block';
import type { Unlocked } from '@nodecore/keys';

import type { Found } from '../facts/facts.ts';
import { KeyKeeper } from '../keys/key-keeper.ts';
import { sameKeys } from '../keys/same-keys.ts';
import { keysOf } from '../plan/spec-change.ts';
import type { VolumeSpec } from '../spec.ts';
import { phaseOf } from '../status-change.ts';
import type { VolumeStatus } from '../status.ts';
import type { Surroundings, TaskOptions } from './surroundings.ts';
import { VolumeKeys, type VolumeKeysParts } from '../keys/volume-keys.ts';
import type { Workshop } from '../work.ts';

/** The keys of one task's volume: holds the one that opened it until synchronisation takes it over. */
export class TaskKeys {
  readonly #keeper: KeyKeeper;
  readonly #workshop: Workshop;
  readonly #surroundings: Surroundings;
  #opener: Unlocked | undefined;

  constructor(options: TaskOptions, report: (change: Partial<VolumeStatus>) => void) {
    const { clock, log, workshop, surroundings, random } = options;
    const { effects } = workshop;
    this.#workshop = workshop;
    this.#surroundings = surroundings;
    this.#keeper = new KeyKeeper({ effects, clock, log, report, ...(random !== undefined && { random }) });
  }

  /** Whether the keys of the spec are in their keyslots; also of a volume that takes none. */
  areInSync(spec: VolumeSpec): boolean {
    const keys = keysOf(spec);
    return keys.length === 0 || this.#keeper.isInSync(keys);
  }

  /** What an operator may ask. */
  operations(parts: Omit<VolumeKeysParts, 'workshop' | 'keeper' | 'inventory'>): VolumeKeys {
    const inventory = (): Inventory | undefined => this.#surroundings.inventory();
    return new VolumeKeys({ ...parts, inventory, workshop: this.#workshop, keeper: this.#keeper });
  }

  /** A spec took the place of another; both have live keys. */
  replaced(before: VolumeSpec, after: VolumeSpec): void {
    if (sameKeys(keysOf(before), keysOf(after))) this.#keeper.renew(keysOf(before), keysOf(after));
  }

  /** Takes over the key that has opened the volume. */
  openedBy(opener: Unlocked): void {
    this.#opener?.[Symbol.dispose]();
    this.#opener = opener;
  }

  /** While the volume is open its keyslots follow the configuration. When this resolves for another, none changes. */
  async follow(spec: VolumeSpec, status: VolumeStatus, found: Found | undefined): Promise<void> {
    const { id: volumeId, encryption, previousKeys = [], keepKeyslots = false } = spec;
    const isOpen = ['prepared', 'ready'].includes(phaseOf(status)) && !keepKeyslots;
    if (encryption === undefined || found === undefined || !isOpen) return this.#keeper.release();
    const opener = this.#opener;
    this.#opener = undefined;
    const holding = { volumeId, devPath: found.devPath, encryption, previousKeys };
    await this.#keeper.hold(holding, opener);
  }

  async stop(): Promise<void> {
    await this.#keeper.release();
    this.#opener?.[Symbol.dispose]();
  }
}
