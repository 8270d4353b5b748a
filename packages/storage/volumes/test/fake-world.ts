import type { Inventory, Mount, Partition } from '@nodecore/block';

import type { IntentRecord } from '../src/index.ts';
import type { FakeDisk } from './fake-disk.ts';
import { FakeKeyServer } from './fake-key-server.ts';
import { holdsData, zero, type FakeLuks, type Region, type Slot } from './fake-region.ts';

export type FakeMapping = {
  readonly name: string;
  readonly device: string;
  readonly uuid: string;
  slot: Slot;
};

/** How a change ends when the process dies in it. */
export type CrashMode = 'before' | 'torn' | 'after';

/** The crash that a run is to suffer: at its n-th change, counted from 0. */
export type CrashPlan = { readonly at: number; readonly mode: CrashMode };

/** What a dead process gets for an answer. */
export class Crashed extends Error {}

/**
 * Disks, kernel and intent store of a machine, in memory. It judges too: whoever destroys data, or mounts a torn
 * filesystem, is written down in `violations`.
 */
export class FakeWorld {
  readonly disks: FakeDisk[];
  readonly mappings = new Map<string, FakeMapping>();
  readonly mounted: Mount[] = [];
  /** What the host of the machine shares. */
  readonly shares = new Set<string>();
  /** Devices that are used as swap space. */
  readonly swaps = new Set<string>();
  readonly intents = new Map<string, IntentRecord>();
  /** Records are read no sooner. */
  slowRecords: Promise<void> | undefined;
  /** LUKS headers that something else was written over, by the path of the device. */
  readonly overwritten = new Map<string, FakeLuks>();
  /** A file in a directory that nothing is mounted on, by the directory. */
  readonly hidden = new Map<string, string>();
  /** What lies in directories that nothing is mounted on is of the image, or gone with the boot. */
  forgets = true;
  /** What the kernel enforces labels of files by. */
  accessControl: string | undefined;
  /** What the running system lacks, by filesystem. */
  readonly missingFilesystems: Map<string, string> = new Map();
  /** The filesystem that was first mounted on each target. Data is there from then on. */
  readonly first = new Map<string, string>();
  /** Devices whose emptiness was asked for: somebody had them alone for a moment. */
  readonly proofs: string[] = [];
  /** What is wrong with a filesystem, by the path of its device; `lost`: nobody can repair it. */
  readonly damages = new Map<string, 'unclean' | 'broken' | 'lost'>();
  /** The device that an operation on LUKS does not end for; others wait for it in vain. */
  held: string | undefined;
  /** What disks discard reads as zeros. */
  discardsToZeroes = false;
  /** What new partitions hold: somebody had a partition there before. */
  oldData: Region = zero;
  /** Every filesystem refuses to grow. */
  growsNothing = false;
  readonly keyServer: FakeKeyServer = new FakeKeyServer();
  readonly violations: string[] = [];
  readonly changes: string[] = [];
  #serial = 0;
  #crash: CrashPlan | undefined;
  #dead = false;
  #count = 0;
  #changed = Promise.withResolvers<void>();

  constructor(disks: FakeDisk[]) {
    this.disks = disks;
  }

  get crashed(): boolean {
    return this.#dead;
  }

  /** A process starts; it dies as planned. */
  boot(crash?: CrashPlan): void {
    this.#crash = crash;
    this.#dead = false;
    this.#count = 0;
    this.changes.length = 0;
  }

  /** The kernel forgets; the disks do not. */
  cutPower(): void {
    this.mappings.clear();
    this.mounted.length = 0;
    this.swaps.clear();
  }

  /** Runs one change of the world, unless the process dies before, in, or after it. */
  change(name: string, whole: () => void, torn?: () => void): void {
    this.live();
    const index = this.#count;
    this.#count += 1;
    this.changes.push(name);
    if (this.#crash?.at !== index) {
      whole();
      this.#tell();
      return;
    }
    const { mode } = this.#crash;
    this.#dead = true;
    if (mode === 'after' || (mode === 'torn' && torn === undefined)) whole();
    if (mode === 'torn') torn?.();
    this.#tell();
    throw new Crashed(`died at change ${index}: ${name}`);
  }

  live(): void {
    if (this.#dead) throw new Crashed('dead');
  }

  /** About to overwrite: nobody must miss what is there. */
  destroy(slot: Slot, why: string): void {
    if (holdsData(slot.region)) this.violations.push(`${why} destroyed ${slot.region.kind}`);
  }

  disk(devPath: string): FakeDisk {
    const disk = this.disks.find((one) => one.facts.devPath === devPath);
    if (disk === undefined) throw new Error(`${devPath}: no such disk`);
    return disk;
  }

  /** The place that a device path names now. */
  slot(path: string): Slot | undefined {
    const mapping = this.mappings.get(path.replace('/dev/mapper/', ''));
    if (path.startsWith('/dev/mapper/')) return mapping?.slot;
    for (const { facts, slot } of this.disks) {
      if (facts.devPath === path) return slot;
      if (slot.region.kind !== 'gpt') continue;
      const partition = slot.region.partitions.find((one) => one.facts.devPath === path);
      if (partition !== undefined) return partition.slot;
    }
    return undefined;
  }

  partitions(): readonly Partition[] {
    return this.disks.flatMap((disk) => disk.table?.partitions ?? []);
  }

  uuid(): string {
    this.#serial += 1;
    return `uuid-${this.#serial}`;
  }

  inventory(): Inventory {
    return {
      disks: this.disks.map((disk) => disk.facts),
      volumes: this.disks.flatMap((disk) => disk.volumes()),
    };
  }

  /** The inventory now, and again whenever something has changed. */
  async *watch(): AsyncGenerator<Inventory, void, undefined> {
    for (;;) {
      const changed = this.#changed.promise;
      yield this.inventory();
      await changed;
    }
  }

  /** Something outside has changed: a disk was added, pulled, or wiped by hand. */
  tell(): void {
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
