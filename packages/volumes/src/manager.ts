import type { Disk, Inventory } from '@nodecore/block';
import { Backoff, systemClock, type Clock } from '@nodecore/sys';

import { Claims } from './claims.ts';
import { DiskLocks } from './disk-locks.ts';
import type { Effects } from './effects.ts';
import { VolumeError } from './errors.ts';
import type { Pending } from './facts.ts';
import { feed } from './feed.ts';
import type { IntentStore } from './intent.ts';
import { Intents } from './intents.ts';
import { silent, type Log } from './log.ts';
import { Look } from './look.ts';
import { machineEffects, type MachineEffectsOptions } from './machine-effects.ts';
import { mountStatusOf } from './mount-status.ts';
import { bySpace } from './order.ts';
import { Publisher } from './publisher.ts';
import type { VolumeSpec } from './spec.ts';
import type { MountStatus, VolumeStatus } from './status.ts';
import type { Surroundings } from './surroundings.ts';
import { mismatch } from './survey.ts';
import { findSystemDisk } from './system-disk.ts';
import { VolumeTask } from './task.ts';
import type { VolumeKeys } from './volume-keys.ts';
import type { WantedSpace } from './wanted-space.ts';
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
  readonly #tasks = new Map<string, VolumeTask>();
  /** Volumes whose document is gone, until they are unmounted and locked. */
  readonly #leaving = new Map<string, { readonly task: VolumeTask; readonly gone: Promise<void> }>();
  readonly #stopping = new AbortController();
  #wanted: ReadonlyMap<string, VolumeSpec> = new Map();
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
      isVolume: (id) => this.#wanted.has(id),
    };
  }

  /**
   * What shall be. Volumes that are not in it any more are unmounted and locked; their data stays.
   *
   * The keys in the specs, previous ones included, must live until the next `apply` or the end of the manager.
   */
  apply(specs: readonly VolumeSpec[]): void {
    this.#stopping.signal.throwIfAborted();
    this.#wanted = new Map(specs.map((spec) => [spec.id, spec]));
    for (const [id, task] of this.#tasks) if (!this.#wanted.has(id)) this.#dismiss(id, task);
    for (const spec of this.#wanted.values()) {
      const task = this.#tasks.get(spec.id);
      if (task !== undefined) task.replace(spec);
      else if (!this.#leaving.has(spec.id)) this.#employ(spec);
    }
    void this.#loadIntents();
    this.#feeding ??= this.#feed();
  }

  /** Sorted by id. A volume that is leaving is in it until it is closed. */
  statuses(): readonly VolumeStatus[] {
    return this.#all()
      .map((task) => task.status)
      .sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  mounts(): readonly MountStatus[] {
    return this.#all().flatMap((task) => mountStatusOf(task.spec, task.status) ?? []);
  }

  /**
   * What can be asked of the keys and the header of a volume.
   *
   * @throws {VolumeError} `ERR_VOLUME_NOT_FOUND`.
   */
  keysOf(volumeId: string): VolumeKeys {
    const task = this.#tasks.get(volumeId);
    if (task !== undefined) return task.keys;
    const message = `there is no volume ${volumeId}`;
    throw new VolumeError('ERR_VOLUME_NOT_FOUND', volumeId, message, 'needs-operator');
  }

  /** Volumes whose keyslots are not, or not known to be, as the newest configuration says. */
  unsynchronised(): readonly string[] {
    return [...this.#tasks.values()].filter((task) => !task.keysInForce).map((task) => task.spec.id);
  }

  /** Volumes that have no place yet and whose documents match a disk. */
  seekersOf(disk: Disk): readonly string[] {
    return [...this.#tasks.values()]
      .filter(({ spec, isPlaced }) => spec.provision && !isPlaced)
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
    await Promise.all(this.#all().map((task) => task.stop()));
    await Promise.all([...this.#leaving.values()].map(({ gone }) => gone));
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

  #employ(spec: VolumeSpec): void {
    const { random } = this.#options;
    const task = new VolumeTask(spec, {
      workshop: this.#workshop,
      surroundings: this.#surroundings(),
      clock: this.#clock,
      log: this.#log,
      ...(random === undefined ? {} : { random }),
    });
    this.#tasks.set(spec.id, task);
    task.start();
  }

  #dismiss(id: string, task: VolumeTask): void {
    this.#tasks.delete(id);
    this.#leaving.set(id, { task, gone: this.#seeOff(id, task) });
  }

  async #seeOff(id: string, task: VolumeTask): Promise<void> {
    if (!(await this.#closeAtLast(task))) return;
    this.#leaving.delete(id);
    const again = this.#wanted.get(id);
    if (again === undefined || this.#stopping.signal.aborted) return;
    this.#employ(again); // its document came back meanwhile
    await this.#loadIntents();
  }

  /** Closes a volume, however often that takes; false when the manager ended before. */
  async #closeAtLast(task: VolumeTask): Promise<boolean> {
    const backoff = new Backoff({ firstMs: 1000, largestMs: 60_000 });
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await task.close({ forget: true });
        return true;
      } catch (error) {
        this.#log.warn({ volume: task.spec.id, error: String(error) }, 'volume can not be closed yet');
        await this.#clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
      }
    }
    return false;
  }

  #surroundings(): Surroundings {
    return {
      inventory: () => this.#inventory,
      systemDisk: () => this.#systemDisk,
      intentsAvailable: () => this.#intentsAvailable(),
      parentMounted: ({ mount }) =>
        mount?.parent === undefined || this.#tasks.get(mount.parent)?.status.phase === 'ready',
      pending: (spec) => this.#pending(spec),
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
    for (const task of this.#tasks.values()) task.notice(what);
  }

  /** Volumes that come before this one where they share a disk, and have not had their turn. */
  #pending(spec: VolumeSpec): readonly Pending[] {
    const disks = this.#inventory?.disks ?? [];
    return [...this.#tasks.values()]
      .filter((task) => bySpace(task.spec, spec) < 0)
      .map((task) => ({ task, wanted: this.#wantedSpace(task, spec) }))
      .filter(({ wanted }) => wanted !== undefined)
      .map(({ task, wanted }) => ({
        id: task.spec.id,
        disks: disks
          .filter(({ id }) => wanted === 'anywhere' || wanted?.includes(id) === true)
          .filter((disk) => mismatch(task.spec, disk, this.#systemDisk) === undefined)
          .map(({ id }) => id),
      }));
  }

  /** Where an earlier volume may still take space before `spec` does. */
  #wantedSpace(task: VolumeTask, spec: VolumeSpec): WantedSpace | undefined {
    return spec.after.includes(task.spec.id) && !task.isPlaced ? 'anywhere' : task.wantsSpace;
  }

  #storeMounted(): boolean {
    return !this.#wanted.has('STATE') || this.#tasks.get('STATE')?.status.phase === 'ready';
  }

  #intentsAvailable(): boolean {
    return this.#storeMounted() && this.#recorded().every((id) => this.#workshop.intents.isLoaded(id));
  }

  #recorded(): readonly string[] {
    return [...this.#wanted.values()].filter((spec) => spec.recorded).map((spec) => spec.id);
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

  #all(): readonly VolumeTask[] {
    return [...this.#tasks.values(), ...[...this.#leaving.values()].map(({ task }) => task)];
  }

  #childrenFirst(): readonly (readonly VolumeTask[])[] {
    const tasks = this.#all();
    const children = tasks.filter((task) => task.spec.mount?.parent !== undefined);
    return [children, tasks.filter((task) => task.spec.mount?.parent === undefined)];
  }
}
