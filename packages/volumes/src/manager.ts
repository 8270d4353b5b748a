import type { Disk, Inventory, WipeContentOptions } from '@nodecore/block';
import { Backoff, systemClock, type Clock } from '@nodecore/sys';

import { Claims } from './claims.ts';
import { DiskLocks } from './disk-locks.ts';
import type { Effects } from './effects.ts';
import { VolumeError } from './errors.ts';
import { feed } from './feed.ts';
import type { IntentStore } from './intent.ts';
import { Intents } from './intents.ts';
import { silent, type Log } from './log.ts';
import { Look } from './look.ts';
import { machineEffects, type MachineEffectsOptions } from './machine-effects.ts';
import { mountStatusOf } from './mount-status.ts';
import { pendingBefore } from './pending.ts';
import { Publisher } from './publisher.ts';
import { Roster } from './roster.ts';
import type { VolumeSpec } from './spec.ts';
import type { MountStatus, VolumeStatus } from './status.ts';
import type { Surroundings } from './surroundings.ts';
import { mismatch } from './survey.ts';
import { findSystemDisk } from './system-disk.ts';
import { VolumeTask } from './task.ts';
import type { VolumeKeys } from './volume-keys.ts';
import { requireWipeable, wipeVolume } from './wipe-volume.ts';
import type { Workshop } from './work.ts';

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
  readonly #roster: Roster;
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
      look: new Look(effects, clock),
      intents: new Intents(options.intents),
      locks: new DiskLocks(),
      claims: new Claims(),
      isVolume: (id) => this.#roster.wanted.has(id),
    };
    this.#roster = new Roster({
      clock,
      log,
      stopping: this.#stopping.signal,
      makeTask: (spec) => this.#makeTask(spec),
      joined: () => this.#loadIntents(),
    });
  }

  /**
   * What shall be. Volumes that are not in it any more are unmounted and locked; their data stays.
   *
   * The keys in the specs, previous ones included, must live until the next `apply` or the end of the manager.
   */
  apply(specs: readonly VolumeSpec[]): void {
    this.#stopping.signal.throwIfAborted();
    this.#roster.want(specs);
    void this.#loadIntents();
    this.#feeding ??= this.#feed();
  }

  /** Sorted by id. A volume that is leaving is in it until it is closed. */
  statuses(): readonly VolumeStatus[] {
    return this.#roster.all.map((task) => task.status).sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  mounts(): readonly MountStatus[] {
    return this.#roster.all.flatMap((task) => mountStatusOf(task.spec, task.status) ?? []);
  }

  /**
   * What can be asked of the keys and the header of a volume.
   *
   * @throws {VolumeError} `ERR_VOLUME_NOT_FOUND`.
   */
  keysOf(volumeId: string): VolumeKeys {
    return this.#task(volumeId).keys;
  }

  /** Volumes whose keyslots are not, or not known to be, as the newest configuration says. */
  unsynchronised(): readonly string[] {
    return this.#roster.tasks.filter((task) => !task.keysInForce).map((task) => task.spec.id);
  }

  /**
   * Closes a volume, what is mounted on it included, DESTROYS its content, and gives its partition back. While its document
   * is there it is made anew at once. Whatever happens, the others are mounted again.
   *
   * @throws {VolumeError} `ERR_VOLUME_NOT_FOUND`, `ERR_VOLUME_KEPT`, `ERR_VOLUME_NOT_READY`.
   * @throws {BlockError} `ERR_BLOCK_BUSY`: somebody uses it.
   */
  async wipe(volumeId: string, options: WipeContentOptions): Promise<void> {
    this.checkWipe(volumeId);
    const task = this.#task(volumeId);
    const children = this.#roster.tasks.filter(({ spec }) => spec.mount?.parent === volumeId);
    const { signal } = this.#stopping;
    const ends = options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]);
    const around = { ...this.#workshop, inventory: this.#inventory };
    await this.#roster.without([task, ...children], () =>
      wipeVolume({ task, children }, around, { ...options, signal: ends }),
    );
  }

  /** @throws {VolumeError} why a volume can not be wiped, whoever uses it. */
  checkWipe(volumeId: string): void {
    requireWipeable(this.#task(volumeId));
  }

  /** Volumes that have no place yet and whose documents match a disk. */
  seekersOf(disk: Disk): readonly string[] {
    return this.#roster.tasks
      .filter(({ spec, found }) => spec.provision && found === undefined)
      .filter(({ spec }) => mismatch(spec, disk, this.#systemDisk) === undefined)
      .map(({ spec }) => spec.id);
  }

  /** All statuses now, then those that change, in batches. The last of a volume has phase `closed`. */
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
   * Ends the manager, unmounts and locks everything, what lies on another volume first.
   *
   * @throws {AggregateError} with the error of each volume that could not be closed; the others are.
   */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#feeding;
    const errors: unknown[] = [];
    for (const tasks of this.#childrenFirst()) {
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
    const { random } = this.#options;
    return new VolumeTask(spec, {
      workshop: this.#workshop,
      surroundings: this.#surroundings(),
      clock: this.#clock,
      log: this.#log,
      ...(random === undefined ? {} : { random }),
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
      intentsAvailable: () => this.#intentsAvailable(),
      parentMounted: ({ mount }) =>
        mount?.parent === undefined || this.#roster.get(mount.parent)?.status.phase === 'ready',
      pending: (spec) =>
        pendingBefore(spec, this.#roster.tasks, {
          disks: this.#inventory?.disks ?? [],
          systemDisk: this.#systemDisk,
        }),
      publish: (status) => this.#published(status),
      spaceSettled: () => this.#ring('neighbours'),
    };
  }

  readonly #phases = new Map<string, string>();

  #published(status: VolumeStatus): void {
    this.#publisher.publish(status);
    if (this.#phases.get(status.id) === status.phase) return;
    this.#phases.set(status.id, status.phase);
    if (status.id === 'STATE' && status.phase === 'ready') void this.#loadIntents();
    if (status.phase === 'ready' || status.phase === 'closed') this.#ring('neighbours');
  }

  #ring(what: 'disks' | 'neighbours'): void {
    for (const task of this.#roster.tasks) task.notice(what);
  }

  #storeMounted(): boolean {
    return !this.#roster.wanted.has('STATE') || this.#roster.get('STATE')?.status.phase === 'ready';
  }

  #intentsAvailable(): boolean {
    return this.#storeMounted() && this.#recorded().every((id) => this.#workshop.intents.isLoaded(id));
  }

  #recorded(): readonly string[] {
    return [...this.#roster.wanted.values()].filter((spec) => spec.recorded).map((spec) => spec.id);
  }

  async #loadIntents(): Promise<void> {
    if (!this.#storeMounted()) return;
    try {
      await this.#workshop.intents.load(this.#recorded());
      this.#ring('neighbours');
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'intent records can not be read');
      const { signal } = this.#stopping;
      await this.#clock.sleep(5000, signal).catch(() => {}); // the manager ends
      if (!signal.aborted) await this.#loadIntents();
    }
  }

  async #feed(): Promise<void> {
    const backoff = new Backoff({ firstMs: 1000, largestMs: 60_000 });
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await feed(this.#options.inventory, signal, (inventory) => this.#take(inventory));
        return;
      } catch (error) {
        this.#log.warn({ error: String(error) }, 'the disks are not watched any more');
        await this.#clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
      }
    }
  }

  #take(inventory: Inventory): void {
    const { systemDisk = findSystemDisk } = this.#options;
    this.#inventory = inventory;
    this.#systemDisk = systemDisk(inventory);
    this.#ring('disks');
  }

  #childrenFirst(): readonly (readonly VolumeTask[])[] {
    const tasks = this.#roster.all;
    const children = tasks.filter((task) => task.spec.mount?.parent !== undefined);
    return [children, tasks.filter((task) => task.spec.mount?.parent === undefined)];
  }
}
