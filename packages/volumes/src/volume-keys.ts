import {
  identifyOpener,
  type KeyContext,
  type KeyslotStore,
  planRotation,
  rotate,
  type RotationPlan,
  type RotationReport,
  type SyncProgress,
  type Unlocked,
} from '@nodecore/keys';
import type { Secret } from '@nodecore/sys';

import type { Waiting } from './effects.ts';
import { VolumeError } from './errors.ts';
import type { Found } from './facts.ts';
import { isSameDevice } from './inspect.ts';
import type { KeyKeeper } from './key-keeper.ts';
import { keysOf } from './spec-change.ts';
import { mappingName, type VolumeSpec } from './spec.ts';
import type { Workshop } from './work.ts';

export type VolumeKeysParts = {
  readonly spec: VolumeSpec;
  readonly found: Found | undefined;
  readonly workshop: Workshop;
  readonly keeper: KeyKeeper;
  readonly stopping: AbortSignal;
  /** Called when the header is another than before. */
  readonly changed: () => void;
};

export type RotateOptions = Waiting & {
  /** Only these slots; every configured one by default. */
  readonly slots?: readonly number[];
  readonly onProgress?: (progress: SyncProgress) => void;
};

/** Any LUKS2 keyslot. */
const largestSlot = 31;

/**
 * What an operator may ask of the keys and the header of one encrypted volume, as it was when this was made. One such
 * operation runs at a time, and synchronisation rests meanwhile.
 */
export class VolumeKeys {
  readonly #parts: VolumeKeysParts;

  /** Made by {@link VolumeManager.keysOf}. */
  constructor(parts: VolumeKeysParts) {
    this.#parts = parts;
  }

  /** What {@link rotate} would do. Nothing is changed. */
  planRotation(options: RotateOptions = {}): Promise<RotationPlan> {
    return this.#withOpener(options, async ({ store, context, opener, signal }) => {
      const { spec } = this.#parts;
      return await planRotation(store, keysOf(spec), context, opener, { ...options, signal });
    });
  }

  /** Gives configured keys new material. A slot that fails keeps its old key. */
  rotate(options: RotateOptions = {}): Promise<RotationReport> {
    return this.#withOpener(options, async ({ store, context, opener, signal }) => {
      const { spec } = this.#parts;
      return await rotate(store, keysOf(spec), context, opener, { ...options, signal });
    });
  }

  /**
   * Stores a key that belongs to no configuration, in the lowest slot that is free and not configured, marked as
   * systemd-cryptenroll marks its recovery keys. @returns the slot.
   */
  addRecoveryKey(key: Secret, options: Waiting = {}): Promise<number> {
    return this.#withOpener(options, async ({ store, opener, signal }) => {
      const { spec } = this.#parts;
      const { taken } = await store.read({ signal });
      const used = new Set([...taken, ...keysOf(spec).map((entry) => entry.slot)]);
      const slot = Array.from({ length: largestSlot + 1 }, (_, index) => index).find((one) => !used.has(one));
      if (slot === undefined)
        throw new VolumeError('ERR_VOLUME_NO_KEYSLOT', spec.id, 'no keyslot is free', 'needs-operator');
      await store.add({ slot, key, existing: opener.key, signal });
      try {
        await store.setToken({ token: { type: 'systemd-recovery', keyslots: [`${slot}`] } });
      } catch (error) {
        await store.destroy({ slot, remaining: opener.key });
        throw error;
      }
      return slot;
    });
  }

  /** The header with its keyslots. It takes no key to have it, and works on a volume that none opens. */
  async backupHeader(options: Waiting = {}): Promise<Uint8Array> {
    const { workshop, keeper } = this.#parts;
    const { devPath } = this.#found();
    const signal = this.#signal(options);
    return await keeper.exclusively(() => workshop.effects.backupHeader(devPath, { signal }));
  }

  /** Puts a header back, also where the one on the disk is damaged. @returns its UUID. */
  async restoreHeader(bytes: Uint8Array, options: Waiting = {}): Promise<string> {
    const { workshop, keeper, changed } = this.#parts;
    const { devPath } = this.#found();
    const uuid = await this.#uuid(devPath);
    const expectation = {
      ...(uuid === undefined ? {} : { expectUuid: uuid }),
      signal: this.#signal(options),
    };
    const restored = await keeper.exclusively(() =>
      workshop.effects.restoreHeader(devPath, bytes, expectation),
    );
    changed();
    return restored;
  }

  /** The volume's own UUID: of the mapping that is open, or as it was written down. */
  async #uuid(devPath: string): Promise<string | undefined> {
    const { spec, workshop } = this.#parts;
    const { effects, intents } = workshop;
    const mapping = await effects.mapping(mappingName(spec.id));
    if (mapping !== undefined && (await isSameDevice(mapping.device, devPath, effects))) return mapping.uuid;
    return intents.get(spec.id)?.uuid;
  }

  async #withOpener<T>(options: Waiting, work: (material: Material) => Promise<T>): Promise<T> {
    const { spec, workshop, keeper } = this.#parts;
    const { effects } = workshop;
    const { devPath } = this.#found();
    const signal = this.#signal(options);
    return await keeper.exclusively(async () => {
      const store = effects.keyslots(devPath);
      const context = await effects.keyContext(spec.id);
      const previous = spec.previousKeys ?? [];
      using opener = await identifyOpener(store, keysOf(spec), context, { previous, signal });
      return await work({ store, context, opener, signal });
    });
  }

  #found(): Found {
    const { spec, found } = this.#parts;
    if (spec.encryption === undefined) {
      const message = `${spec.id} is not encrypted`;
      throw new VolumeError('ERR_VOLUME_NOT_ENCRYPTED', spec.id, message, 'needs-operator');
    }
    if (found !== undefined) return found;
    throw new VolumeError('ERR_VOLUME_NOT_READY', spec.id, `${spec.id} is nowhere yet`, 'transient');
  }

  #signal({ signal }: Waiting): AbortSignal {
    const { stopping } = this.#parts;
    return signal === undefined ? stopping : AbortSignal.any([stopping, signal]);
  }
}

type Material = {
  readonly store: KeyslotStore;
  readonly context: KeyContext;
  readonly opener: Unlocked;
  readonly signal: AbortSignal;
};
