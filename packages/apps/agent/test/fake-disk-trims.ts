import { Runtime } from '@nodecore/runtime';
import { memoryState, Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import {
  type SkipReason,
  TrimError,
  type TrimErrorCode,
  type TrimOptions,
  type TrimReport,
} from '@nodecore/trim';
import type { MountStatus } from '@nodecore/volumes';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { kindOf } from '../src/resources/definitions.ts';
import { volumeTrimStatuses } from '../src/trims/definitions.ts';
import { mountStatuses } from '../src/volumes/definitions.ts';
import type { Finding } from '../src/trims/engine.ts';
import { trimsController } from '../src/trims/trim-controller.ts';
import { Trims } from '../src/trims/trims.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const totalBytes = 4n << 30n;

type Behaviour = {
  skip?: SkipReason;
  fail?: TrimErrorCode;
  disks: readonly string[];
};

/** A node whose trims a test steers range by range. */
export class TrimNode {
  readonly clock: FakeClock;
  store: Store;
  readonly directory: string;
  readonly lines: Record<string, unknown>[] = [];
  /** What trims of a volume's mount point do. */
  readonly disks = new Map<string, Behaviour>();
  /** Mount points in the order in which trims began on them. */
  readonly begun: string[] = [];
  trims: Trims;
  readonly #mounted = new Set<string>();
  readonly #steps = new Map<string, (end: boolean) => void>();
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  static async start(t: ExecutionContext, volumes: readonly string[]): Promise<TrimNode> {
    const node = new TrimNode(await temporaryDirectory(t), volumes);
    t.teardown(() => node.stop());
    return node;
  }

  private constructor(directory: string, volumes: readonly string[]) {
    this.clock = new FakeClock();
    this.store = new Store({ clock: this.clock });
    this.directory = directory;
    for (const id of volumes) {
      this.disks.set(id, { disks: ['sda'] });
      this.mount(id);
    }
    this.trims = this.boot();
  }

  /** Begins as a new process does; what was there before is gone without a word. */
  boot(): Trims {
    const write = (line: string): void => void this.lines.push(JSON.parse(line) as Record<string, unknown>);
    this.#stop = new AbortController();
    this.store = new Store({ clock: this.clock }); // nothing of it outlives a process
    for (const id of this.#mounted) this.mount(id);
    this.trims = new Trims({
      clock: this.clock,
      log: pino({ level: 'trace' }, { write }),
      mounts: () => [...this.#mounted].map(mountOf),
      nodeId: () => 'test-node-id',
      directory: async () => this.directory,
      engine: async (target) => this.#find(target.slice('/mnt/'.length)),
      pressure: async () => undefined,
    });
    const runtime = new Runtime({ state: memoryState(this.store), clock: this.clock });
    runtime.register(trimsController(this.trims));
    this.#running = runtime.run(this.#stop.signal);
    return this.trims;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.trims.close();
  }

  /** As a power cut does it. */
  crash(): void {
    this.#stop.abort();
    this.#steps.clear();
  }

  mount(id: string): void {
    this.#mounted.add(id);
    this.store.modify({ ...kindOf(mountStatuses), id }, () => ({ target: `/mnt/${id}` }), {
      owner: 'volumes',
    });
  }

  unmount(id: string): void {
    this.#mounted.delete(id);
    this.store.destroy({ ...kindOf(mountStatuses), id }, 'volumes');
  }

  /** The next range of the trim of a volume, or its end. */
  step(id: string, end = false): void {
    const next = this.#steps.get(id);
    if (next === undefined) throw new Error(`no trim of ${id} waits for a range`);
    this.#steps.delete(id);
    next(end);
  }

  isTrimming(id: string): boolean {
    return this.#steps.has(id);
  }

  status(id: string): Record<string, unknown> {
    return (this.store.get({ ...kindOf(volumeTrimStatuses), id })?.spec ?? {}) as Record<string, unknown>;
  }

  #find(id: string): Finding {
    const behaviour = this.disks.get(id) ?? { disks: [] };
    const { skip, disks } = behaviour;
    return {
      verdict:
        skip === undefined
          ? { eligible: true, disks }
          : { eligible: false, reason: skip, message: `${id}: ${skip}` },
      sizeBytes: totalBytes,
      trim: (options) => this.#trim(id, behaviour, options),
    };
  }

  async #trim(id: string, { fail }: Behaviour, options: TrimOptions): Promise<TrimReport> {
    this.begun.push(id);
    const { onProgress, signal, clock } = options;
    const startedMs = clock?.now() ?? 0;
    const sums = { totalBytes, longestRangeMs: 5, pausedMs: 0 };
    for (let ranges = 1; ; ranges += 1) {
      const end = await new Promise<boolean>((resolve) => {
        this.#steps.set(id, resolve);
        signal?.addEventListener('abort', () => resolve(false), { once: true });
      });
      this.#steps.delete(id);
      signal?.throwIfAborted();
      if (fail !== undefined) throw new TrimError(fail, `/mnt/${id}`, 'as the test wants it');
      const doneBytes = end ? totalBytes : BigInt(ranges) << 28n;
      const progress = { ...sums, doneBytes, ranges, trimmedBytes: BigInt(ranges) };
      onProgress?.({ ...progress, state: 'trimming' });
      if (end) return { ...progress, durationMs: (clock?.now() ?? 0) - startedMs };
    }
  }
}

function mountOf(id: string): MountStatus {
  const flags = { readOnly: false, nosuid: true, nodev: true, noexec: true, noatime: false };
  const common = {
    filesystem: 'xfs',
    flags,
    projectQuotaSupport: false,
    phase: 'mounted',
    isLeaving: false,
  } as const;
  return { volumeId: id, source: `/dev/${id}`, target: `/mnt/${id}`, ...common };
}

/** Waits until something is so; what never is ends with the test's time: a busy disk takes long to write a file. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
