import type { Disk, Inventory, WipeContentOptions } from '@nodecore/block';
import { type Clock, KeyedLock, systemClock } from '@nodecore/waiting';

import { Claims } from '../disks/claims.ts';
import { closingOrder } from '../mounts/closing-order.ts';
import type { Effects } from '../effects.ts';
import { VolumeError } from '../errors.ts';
import { keepFeeding } from './feed.ts';
import type { Scene } from '../observe/fitness.ts';
import type { IntentStore } from '../intents/intent.ts';
import { IntentLoading } from '../intents/loading.ts';
import { Intents } from '../intents/intents.ts';
import { silent, type Log } from '../log.ts';
import { DeviceReader } from '../observe/device-reader.ts';
import { machineEffects, type MachineEffectsOptions } from '../machine/machine-effects.ts';
import type { MountRequest, VolumeMountRequest } from '../mounts/request.ts';
import { MountRequests } from '../mounts/requests.ts';
import { MountView } from './mount-view.ts';
import { pendingBefore, seekersOf } from './pending.ts';
import { type EmptinessAnswer, type Place, proveEmpty } from './prove-empty.ts';
import { Publisher } from './publisher.ts';
import { Roster } from './roster.ts';
import type { VolumeSpec } from '../spec.ts';
import type { MountStatus, VolumeStatus } from '../status.ts';
import type { Surroundings } from './surroundings.ts';
import { findSystemDisk } from '../disks/system-disk.ts';
import { VolumeTask } from './task.ts';
import type { VolumeKeys } from '../keys/volume-keys.ts';
import type { VolumeMountStatus } from '../mounts/volume-mount-status.ts';
import { requireWipeable, wipeVolume } from './wipe-volume.ts';
import type { KeysTried, Workshop } from '../work.ts';

export type VolumeManagerOptions = MachineEffectsOptions & {
  /** The first value is a complete scan; each later one replaces it. */
  readonly inventory: AsyncIterable<Inventory>;
  /** Asked only while the volume STATE is mounted, where there is one. */
  readonly intents: IntentStore;
  /** The id of the system's own disk; by default the one with the META partition. */
  readonly systemDisk?: (inventory: Inventory) => string | undefined;
  readonly clock?: Clock;
  readonly log?: Log;
  /** The machine to act on; this one by default. */
  readonly effects?: Effects;
  /** Jitter of the back-off, in [0, 1). */
  readonly random?: () => number;
  /** Hears of each time that a volume was to be opened, and with which keys. */
  readonly keysTried?: (id: string, tried: KeysTried) => void;
};

/**
 * Turns specs into mounted filesystems, and keeps them so.
 *
 * Needs root. Mounts and mappings outlive the manager: a later one, in this process or another, adopts them.
 */
export class VolumeManager {
  readonly #options: VolumeManagerOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #workshop: Workshop;
  readonly #publisher = new Publisher<VolumeStatus>();
  readonly #stopping = new AbortController();
  readonly #loading: IntentLoading;
  readonly #roster: Roster;
  readonly #requests = new MountRequests();
  readonly #mounts: MountView;
  readonly #phases = new Map<string, string>();
  #specs: readonly VolumeSpec[] = [];
  #inventory: Inventory | undefined;
  #systemDisk: string | undefined;
  #feeding: Promise<void> | undefined;

  constructor(options: VolumeManagerOptions) {
    const { clock = systemClock, log = silent, effects = machineEffects(options) } = options;
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    this.#workshop = {
      effects,
      clock,
      reader: new DeviceReader(effects, clock),
      intents: new Intents(options.intents),
      locks: new KeyedLock(),
      claims: new Claims(),
      isVolume: (id) => this.#roster.wanted.has(id),
      keysTried: options.keysTried,
    };
    this.#loading = new IntentLoading({
      intents: this.#workshop.intents,
      clock,
      log,
      stopping: this.#stopping.signal,
      isMounted: () => this.#storeMounted(),
      recorded: () => this.#recorded(),
      loaded: () => this.#ring('neighbours'),
    });
    this.#roster = new Roster({
      clock,
      log,
      stopping: this.#stopping.signal,
      makeTask: (spec) => this.#makeTask(spec),
      released: (id) => this.#requests.released(id, this.#stopping.signal),
      joined: () => this.#loading.load(),
    });
    this.#mounts = new MountView(this.#requests, this.#roster);
  }

  /**
   * What shall be. Volumes that are not in it any more are unmounted and locked; their data stays.
   *
   * The keys in the specs, previous ones included, must live until the next `apply` or the end of the manager.
   */
  apply(specs: readonly VolumeSpec[]): void {
    this.#stopping.signal.throwIfAborted();
    this.#specs = [...specs];
    this.#form();
    void this.#loading.load();
    this.#feeding ??= this.#feed();
  }

  /** Sorted by id. A volume that is leaving is in it until it is closed. */
  statuses(): readonly VolumeStatus[] {
    return this.#roster.all.map((task) => task.status).sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /**
   * Who needs which volume mounted beside its document, and how. As long as one of them is named, the volume is neither
   * unmounted because its document has gone, nor wiped. A requester that is not named any more needs nothing.
   */
  request(requests: readonly VolumeMountRequest[]): void {
    this.#stopping.signal.throwIfAborted();
    this.#requests.replace(requests);
    this.#form();
  }

  mounts(): readonly MountStatus[] {
    return this.#mounts.mounts();
  }

  /** What is wanted of mounts, one for each volume with a request. */
  mountRequests(): readonly MountRequest[] {
    return this.#mounts.merged();
  }

  /** What became of a request, whether it is in force yet or not. */
  mountStatusFor(request: VolumeMountRequest): VolumeMountStatus {
    return this.#mounts.statusFor(request);
  }

  /** What can be asked of the keys and the header of a volume. @throws {VolumeError} `ERR_VOLUME_NOT_FOUND`. */
  keysOf(volumeId: string): VolumeKeys {
    return this.#task(volumeId).keys;
  }

  /** Volumes whose keyslots are not, or not known to be, as the newest configuration says. */
  unsynchronised(): readonly string[] {
    return this.#roster.tasks.filter((task) => !task.keysInSync).map((task) => task.spec.id);
  }

  /**
   * Closes a volume, what is mounted on it included, DESTROYS its content, and gives its partition back. While its document
   * is there it is made anew at once. Whatever happens, the others are mounted again.
   *
   * @throws {VolumeError} `ERR_VOLUME_NOT_FOUND`, `ERR_VOLUME_KEPT`, `ERR_VOLUME_NOT_READY`, `ERR_VOLUME_REQUESTED`.
   * @throws {BlockError} `ERR_BLOCK_BUSY`: it is in use.
   */
  async wipe(volumeId: string, options: WipeContentOptions): Promise<void> {
    this.checkWipe(volumeId);
    const task = this.#task(volumeId);
    const children = this.#mounts.above(volumeId);
    const { signal } = this.#stopping;
    const ends = options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]);
    const around = { ...this.#workshop, inventory: this.#inventory };
    await this.#roster.without([task, ...children], () =>
      wipeVolume({ task, children }, around, { ...options, signal: ends }),
    );
  }

  /** @throws {VolumeError} why a volume can not be wiped, whatever the kernel says. */
  checkWipe(volumeId: string): void {
    requireWipeable(this.#task(volumeId));
    this.#mounts.requireUnused(volumeId);
  }

  /** Volumes that have no place yet and whose documents match a disk. */
  seekersOf(disk: Disk): readonly string[] {
    return seekersOf(disk, this.#roster.tasks, this.#scene());
  }

  proveEmpty(place: Place, signal: AbortSignal): Promise<EmptinessAnswer> {
    return proveEmpty(place, this.#workshop, signal);
  }

  /**
   * All statuses now, then those that change, or of which somebody else needs the mount, in batches. The last of a volume has
   * phase `closed`.
   */
  changes(signal?: AbortSignal): AsyncIterable<readonly VolumeStatus[]> {
    return this.#publisher.subscribe(this.statuses(), signal);
  }

  /** Ends the manager and leaves every mount as it is, for the next one to adopt. Twice is fine. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#roster.all.map((task) => task.stop()));
    await this.#roster.empty();
    await this.#feeding;
    this.#publisher.close();
  }

  /**
   * Ends the manager, unmounts and locks everything, what lies on another volume first. Who needs a mount has ended before.
   *
   * @throws {AggregateError} with the error of each volume that could not be closed; the others are.
   */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#feeding;
    const errors: unknown[] = [];
    for (const tasks of closingOrder(this.#roster.all)) {
      const results = await Promise.allSettled(tasks.map((task) => task.close({ forget: false })));
      errors.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])));
    }
    this.#publisher.close();
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} volumes could not be closed`);
  }

  /** Same as {@link stop}: mounts are not the manager's to take along. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #makeTask(spec: VolumeSpec): VolumeTask {
    return new VolumeTask(spec, {
      workshop: this.#workshop,
      surroundings: this.#surroundings(),
      clock: this.#clock,
      log: this.#log,
      ...(this.#options.random && { random: this.#options.random }),
    });
  }

  #task(volumeId: string): VolumeTask {
    const task = this.#roster.get(volumeId);
    if (task !== undefined) return task;
    const message = `there is no volume ${volumeId}`;
    throw new VolumeError('ERR_VOLUME_NOT_FOUND', volumeId, message, 'needs-operator');
  }

  #surroundings(): Surroundings {
    return {
      inventory: () => this.#inventory,
      systemDisk: () => this.#systemDisk,
      intentsAvailable: () => this.#loading.isComplete,
      parentMounted: ({ mount }) =>
        mount?.parent === undefined || this.#roster.get(mount.parent)?.status.phase === 'ready',
      pending: (spec) => pendingBefore(spec, this.#roster.tasks, this.#scene()),
      publish: (status) => this.#published(status),
      spaceSettled: () => this.#ring('neighbours'),
    };
  }

  #scene(): Scene {
    return { inventory: this.#inventory, systemDisk: this.#systemDisk };
  }

  #published(status: VolumeStatus): void {
    this.#publisher.publish(status);
    if (this.#phases.get(status.id) === status.phase) return;
    this.#phases.set(status.id, status.phase);
    if (status.id === 'STATE' && status.phase === 'ready') void this.#loading.load();
    if (status.phase === 'ready' || status.phase === 'closed') this.#ring('neighbours');
  }

  #ring(what: 'disks' | 'neighbours'): void {
    for (const task of this.#roster.tasks) task.notice(what);
  }

  #storeMounted(): boolean {
    return !this.#roster.wanted.has('STATE') || this.#roster.get('STATE')?.status.phase === 'ready';
  }

  #recorded(): readonly string[] {
    return [...this.#roster.wanted.values()].filter((spec) => spec.recorded).map((spec) => spec.id);
  }

  #feed(): Promise<void> {
    const parts = { clock: this.#clock, log: this.#log, signal: this.#stopping.signal };
    return keepFeeding(this.#options.inventory, parts, (inventory) => this.#take(inventory));
  }

  #take(inventory: Inventory): void {
    const { systemDisk = findSystemDisk } = this.#options;
    this.#inventory = inventory;
    this.#systemDisk = systemDisk(inventory);
    this.#ring('disks');
  }

  #form(): void {
    this.#roster.want(this.#specs.map((spec) => this.#requests.formed(spec)));
    for (const { status } of this.#mounts.news()) this.#publisher.publish(status);
  }
}
