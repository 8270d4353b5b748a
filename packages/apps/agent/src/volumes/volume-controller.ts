import type { Disk, Inventory, WipeContentOptions } from '@nodecore/block';
import type { Store } from '@nodecore/state';
import { type Clock, Latest } from '@nodecore/waiting';
import {
  type EmptinessAnswer,
  findSystemDisk,
  type IntentStore,
  type KeySources,
  type MountStatus,
  type Place,
  type VolumeKeys,
  VolumeManager,
  type VolumeManagerOptions,
  type VolumeSpec,
  type VolumeStatus,
} from '@nodecore/volumes';

import type { Log } from '../log.ts';
import { kindOf } from '../resources/definitions.ts';
import { mountStatuses, volumeManagerStatuses, volumeStatuses } from './definitions.ts';
import { KeyTallies } from './key-tallies.ts';
import { mountStatusSpec } from './mount-status-spec.ts';
import { volumeStatusSpec } from './volume-spec.ts';

const owner = 'volumes';

export type VolumeControllerParts = {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly inventory: Latest<Inventory>;
  readonly intents: IntentStore;
  readonly systemDisk: boolean;
  readonly keyDerivation: VolumeManagerOptions['keyDerivation'] | undefined;
  readonly keySources: () => KeySources;
};

/** The volume life cycle as the agent sees it: wanted volumes in, resources out. */
export class VolumeController {
  readonly keyTallies: KeyTallies = new KeyTallies();
  readonly #parts: VolumeControllerParts;
  readonly #manager = new Latest<VolumeManager>();
  readonly #changed = new Latest<object>();
  #machineUuid = '';
  /** The volumes of a configuration are wanted; before that STATE alone is. */
  #isConfigured = false;

  constructor(parts: VolumeControllerParts) {
    this.#parts = parts;
  }

  /** From now on volumes can be had. Called once, as soon as the machine's UUID is known. */
  start(machineUuid: string): void {
    const { log, clock, inventory, intents, systemDisk, keyDerivation, keySources } = this.#parts;
    if (this.#manager.value !== undefined) return;
    const manager = new VolumeManager({
      inventory,
      intents,
      machineUuid,
      keySources,
      clock,
      log,
      keysTried: (_id, tried) => this.keyTallies.add(tried),
      systemDisk: systemDisk ? findSystemDisk : () => undefined,
      ...(keyDerivation !== undefined && { keyDerivation }),
    });
    this.#machineUuid = machineUuid;
    this.#manager.set(manager);
  }

  /** Empty before {@link start}, and on a machine that has none. */
  get machineUuid(): string {
    return this.#machineUuid;
  }

  /** What can be asked of the keys of a volume. @throws {VolumeError} `ERR_VOLUME_NOT_FOUND`. */
  keysOf(volumeId: string): VolumeKeys {
    return this.#started().keysOf(volumeId);
  }

  /** Whether every volume has exactly the keys of the newest configuration. */
  get keysInForce(): boolean {
    return this.#manager.value?.unsynchronised().length === 0;
  }

  /** Yields at the beginning and after each change of any volume, when the resources show it, until the signal fires. */
  async *changes(signal: AbortSignal): AsyncGenerator<void, void, undefined> {
    for await (const _ of this.#changed.changes(signal)) yield;
  }

  /** What shall be. The keys in the specs must live as long as the agent: volumes compare them with later ones. */
  apply(specs: readonly VolumeSpec[]): void {
    this.#started().apply(specs);
  }

  /** The same with all the volumes of a configuration. */
  configure(specs: readonly VolumeSpec[]): void {
    const manager = this.#started();
    manager.apply(specs);
    this.#isConfigured = true;
    this.#publishAll(manager); // nothing may change before the next reader asks
  }

  /** Whether the volumes are those of a configuration. */
  get isConfigured(): boolean {
    return this.#isConfigured;
  }

  /** Nothing before {@link start}. */
  statuses(): readonly VolumeStatus[] {
    return this.#manager.value?.statuses() ?? [];
  }

  mounts(): readonly MountStatus[] {
    return this.#manager.value?.mounts() ?? [];
  }

  /** Takes requests for mounts; undefined before {@link start}. */
  get mounted(): VolumeManager | undefined {
    return this.#manager.value;
  }

  /** Destroys what a volume holds; see {@link VolumeManager.wipe}. */
  wipe(volumeId: string, options: WipeContentOptions): Promise<void> {
    return this.#started().wipe(volumeId, options);
  }

  /** @throws {VolumeError} why a volume can not be wiped. */
  checkWipe(volumeId: string): void {
    this.#started().checkWipe(volumeId);
  }

  /** Whether a place is empty; see {@link VolumeManager.proveEmpty}. */
  proveEmpty(place: Place, signal: AbortSignal): Promise<EmptinessAnswer> {
    return this.#started().proveEmpty(place, signal);
  }

  /** Volumes that may take a disk as soon as it is blank. */
  seekersOf(disk: Disk): readonly string[] {
    return this.#manager.value?.seekersOf(disk) ?? [];
  }

  /** The statuses of one volume, the present one first. Ends when the signal fires. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<VolumeStatus, void, undefined> {
    for await (const batch of this.#started().changes(signal)) {
      for (const status of batch) if (status.id === id) yield status;
    }
  }

  /** Keeps the resources like the volumes, until the signal fires. */
  async publish(signal: AbortSignal): Promise<void> {
    for await (const manager of this.#manager.changes(signal)) {
      // Which volumes changed does not matter: what is gone shows only in the whole.
      for await (const _ of manager.changes(signal)) this.#publishAll(manager);
    }
  }

  /** Ends the life cycle. With `unmount`, everything is unmounted and locked first; otherwise the next run adopts it. */
  async close(options: { readonly unmount: boolean }): Promise<void> {
    if (options.unmount) await this.#manager.value?.close();
    else await this.#manager.value?.stop();
  }

  /** The whole last: who reads it first knows nothing that the single ones don't say. */
  #publishAll(manager: VolumeManager): void {
    const { store } = this.#parts;
    const present = manager.statuses().filter(({ phase }) => phase !== 'closed');
    const statuses = new Map(present.map((status) => [status.id, volumeStatusSpec(status)]));
    store.replace(kindOf(volumeStatuses), statuses, owner);
    const mounts = new Map(manager.mounts().map((mount) => [mount.volumeId, mountStatusSpec(mount)]));
    store.replace(kindOf(mountStatuses), mounts, owner);
    const whole = { configured: this.#isConfigured, keysInSync: this.keysInForce };
    store.replace(kindOf(volumeManagerStatuses), new Map([['volumes', whole]]), owner);
    this.#changed.set({});
  }

  #started(): VolumeManager {
    const manager = this.#manager.value;
    if (manager === undefined) throw new TypeError('volumes are used before the machine is known');
    return manager;
  }
}
