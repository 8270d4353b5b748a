import type { Inventory } from '@nodecore/block';
import {
  identifyOpener,
  type KeyContext,
  KeysError,
  type KeyslotStore,
  planRotation,
  rotate,
  type RotationPlan,
  type RotationReport,
  type SyncProgress,
  type Unlocked,
} from '@nodecore/keys';
import type { Secret } from '@nodecore/sys';

import type { BackupOptions, Waiting } from '../effects.ts';
import { VolumeError, type VolumeErrorCode } from '../errors.ts';
import type { DeviceFacts, Found } from '../facts/facts.ts';
import { inspect } from '../observe/inspect.ts';
import { isSameDevice } from '../disks/same-device.ts';
import type { KeyKeeper } from './key-keeper.ts';
import { noKey } from './no-key.ts';
import { keysOf } from '../plan/spec-change.ts';
import { mappingName, type VolumeSpec } from '../spec.ts';
import type { Permanence } from '../status.ts';
import type { Workshop } from '../work.ts';

export type VolumeKeysParts = {
  readonly spec: VolumeSpec;
  readonly found: Found | undefined;
  /** Of what was found there, as far as it was seen. */
  readonly uuid: string | undefined;
  readonly inventory: () => Inventory | undefined;
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

export type RestoreHeaderOptions = Waiting & {
  /** Restores also what no configured key opens, for instance for a recovery key that is in the backup. */
  readonly force?: boolean;
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
   * systemd-cryptenroll marks its recovery keys, and opens it. @returns the slot.
   */
  addRecoveryKey(key: Secret, options: Waiting = {}): Promise<number> {
    return this.#withOpener(options, async ({ store, opener, signal }) => {
      const { spec } = this.#parts;
      const { taken } = await store.read({ signal });
      const used = new Set([...taken, ...keysOf(spec).map((entry) => entry.slot)]);
      const slot = Array.from({ length: largestSlot + 1 }, (_, index) => index).find((one) => !used.has(one));
      if (slot === undefined) throw this.#error('ERR_VOLUME_NO_KEYSLOT', 'no keyslot is free');
      await store.add({ slot, key, existing: opener.key, signal });
      try {
        if (!(await store.test({ slot, key })))
          throw this.#error('ERR_VOLUME_KEYS', 'the new keyslot does not open');
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
    const signal = this.#signal(options);
    return await keeper.exclusively(async () => {
      const { devPath } = (await this.#device()).found;
      return await workshop.effects.backupHeader(devPath, { signal });
    });
  }

  /**
   * Puts a header back, also where the one on the disk is damaged. With it the keyslots of today go, so a configured key
   * has to open the backup. @returns its UUID.
   *
   * @throws {VolumeError} `ERR_VOLUME_KEYS` or `ERR_VOLUME_KEYS_AWAITED` when none does; nothing is changed then.
   */
  async restoreHeader(bytes: Uint8Array, options: RestoreHeaderOptions = {}): Promise<string> {
    const { workshop, keeper, changed } = this.#parts;
    const signal = this.#signal(options);
    const restored = await keeper.exclusively(async () => {
      const device = await this.#device();
      const { devPath } = device.found;
      if (device.mapping?.ours !== true && device.mountedAt.length > 0)
        throw this.#error(
          'ERR_VOLUME_IN_USE',
          `${devPath} itself is mounted at ${device.mountedAt.join(', ')}`,
        );
      const uuid = await this.#uuid(devPath);
      const expectation = { ...(uuid === undefined ? {} : { expectUuid: uuid }), signal };
      using opener = options.force === true ? undefined : await this.#openerOf(bytes, devPath, expectation);
      const key = opener === undefined ? {} : { key: { slot: opener.slot, key: opener.key } };
      return await workshop.effects.restoreHeader(devPath, bytes, { ...expectation, ...key });
    });
    changed();
    return restored;
  }

  /** A configured key that opens the backup of a header. */
  async #openerOf(bytes: Uint8Array, devPath: string, options: BackupOptions): Promise<Unlocked> {
    const { spec, workshop } = this.#parts;
    const context = await workshop.effects.keyContext(spec.id);
    await using backup = await workshop.effects.openBackup(devPath, bytes, options);
    try {
      return await this.#identify(backup.keyslots, context, options);
    } catch (error) {
      if (!(error instanceof KeysError) || error.code !== 'ERR_KEYS_NONE') throw error;
      const what = `no configured key is known to open ${spec.id} by this header, so only force puts it back`;
      throw noKey(spec.id, what, error.failures);
    }
  }

  /** The volume's own UUID: of the mapping that is open, as it was written down, or as it was seen. */
  async #uuid(devPath: string): Promise<string | undefined> {
    const { spec, workshop, uuid } = this.#parts;
    const { effects, intents } = workshop;
    const mapping = await effects.mapping(mappingName(spec.id));
    // Empty where the header is gone from the disk.
    const isOpen = mapping !== undefined && mapping.uuid !== '';
    if (isOpen && (await isSameDevice(mapping.device, devPath, effects))) return mapping.uuid;
    return intents.get(spec.id)?.uuid ?? uuid;
  }

  async #withOpener<T>(options: Waiting, work: (material: Material) => Promise<T>): Promise<T> {
    const { spec, workshop, keeper } = this.#parts;
    const { effects } = workshop;
    const signal = this.#signal(options);
    return await keeper.exclusively(async () => {
      const { devPath } = (await this.#device()).found;
      const store = effects.keyslots(devPath);
      const context = await effects.keyContext(spec.id);
      using opener = await this.#identify(store, context, { signal });
      return await work({ store, context, opener, signal });
    });
  }

  async #identify(
    store: Pick<KeyslotStore, 'read' | 'test'>,
    context: KeyContext,
    { signal }: Waiting,
  ): Promise<Unlocked> {
    const { spec } = this.#parts;
    const previous = spec.previousKeys ?? [];
    return await identifyOpener(store, keysOf(spec), context, { previous, ...(signal && { signal }) });
  }

  /** The device as it is now: its name may have changed hands since it was found. */
  async #device(): Promise<DeviceFacts> {
    const { spec, workshop, inventory } = this.#parts;
    const found = this.#found();
    const present = inventory();
    const record = workshop.intents.get(spec.id);
    const subject = present && { spec, found, inventory: present, record, isInUse: true };
    const device = subject && (await inspect(subject, workshop.reader));
    if (device === undefined || device === 'gone')
      throw this.#error('ERR_VOLUME_NOT_READY', `${found.devPath} is not there any more`, 'transient');
    if (device.underConstruction)
      throw this.#error('ERR_VOLUME_NOT_READY', `${spec.id} is being made`, 'transient');
    return device;
  }

  #found(): Found {
    const { spec, found } = this.#parts;
    if (spec.encryption === undefined)
      throw this.#error('ERR_VOLUME_NOT_ENCRYPTED', `${spec.id} is not encrypted`);
    if (found !== undefined) return found;
    throw this.#error('ERR_VOLUME_NOT_READY', `${spec.id} is nowhere yet`, 'transient');
  }

  #error(code: VolumeErrorCode, message: string, permanence: Permanence = 'needs-operator'): VolumeError {
    return new VolumeError(code, this.#parts.spec.id, message, permanence);
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
