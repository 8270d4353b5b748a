import { Backoff, type Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { VolumeSpec } from '../spec.ts';
import type { VolumeTask } from './task.ts';

export type RosterParts = {
  readonly clock: Clock;
  readonly log: Log;
  /** Fires when the manager ends. */
  readonly stopping: AbortSignal;
  readonly makeTask: (spec: VolumeSpec) => VolumeTask;
  /** Resolves when no request for the volume's mount is left; rejects when the manager ends. */
  readonly released: (id: string) => Promise<void>;
  /** A volume began after the others. */
  readonly joined: () => Promise<void>;
};

/** Which volumes are wanted, which have a task, and which are on their way out. */
export class Roster {
  readonly #parts: RosterParts;
  readonly #tasks = new Map<string, VolumeTask>();
  /** Volumes whose document is gone, until they are unmounted and locked; and those that are closed for a while. */
  readonly #leaving = new Map<string, { readonly task: VolumeTask; readonly gone: Promise<void> }>();
  #wanted: ReadonlyMap<string, VolumeSpec> = new Map();

  constructor(parts: RosterParts) {
    this.#parts = parts;
  }

  get wanted(): ReadonlyMap<string, VolumeSpec> {
    return this.#wanted;
  }

  /** Those at work. */
  get tasks(): readonly VolumeTask[] {
    return [...this.#tasks.values()];
  }

  /** Those at work, and those that leave. */
  get all(): readonly VolumeTask[] {
    return [...this.#tasks.values(), ...[...this.#leaving.values()].map(({ task }) => task)];
  }

  /** The task of a volume that is at work. */
  get(id: string): VolumeTask | undefined {
    return this.#tasks.get(id);
  }

  /** What shall be, from now on. */
  want(specs: readonly VolumeSpec[]): void {
    const before = this.#wanted;
    this.#wanted = new Map(specs.map((spec) => [spec.id, spec]));
    for (const [id, task] of this.#tasks) if (!this.#wanted.has(id)) this.#dismiss(id, task);
    for (const spec of this.#wanted.values()) {
      const task = this.#tasks.get(spec.id);
      if (task !== undefined) {
        if (before.get(spec.id) !== spec) task.replace(spec);
      } else if (!this.#leaving.has(spec.id)) {
        this.#employ(spec);
      }
    }
  }

  /** Resolves when no volume is leaving any more. */
  async empty(): Promise<void> {
    await Promise.all([...this.#leaving.values()].map(({ gone }) => gone));
  }

  /**
   * Takes tasks out while `work` closes them and does more. Whatever comes of it, those that are wanted begin anew, and those
   * whose document has gone meanwhile leave.
   */
  async without<T>(tasks: readonly VolumeTask[], work: () => Promise<T>): Promise<T> {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    for (const task of tasks) {
      this.#tasks.delete(task.spec.id);
      this.#leaving.set(task.spec.id, { task, gone });
    }
    try {
      return await work();
    } finally {
      resolve();
      // All at once: whatever is wanted from here on finds none of them in between.
      const unwanted = tasks.filter(({ spec }) => !this.#wanted.has(spec.id));
      for (const task of unwanted) this.#dismiss(task.spec.id, task); // it may be closed or not, and nobody else does it
      const back = tasks.filter((task) => !unwanted.includes(task));
      await this.#comeBack(back.map(({ spec }) => spec.id));
    }
  }

  #employ(spec: VolumeSpec): void {
    const task = this.#parts.makeTask(spec);
    this.#tasks.set(spec.id, task);
    task.start();
  }

  #dismiss(id: string, task: VolumeTask): void {
    this.#tasks.delete(id);
    this.#leaving.set(id, { task, gone: this.#seeOff(id, task) });
  }

  async #seeOff(id: string, task: VolumeTask): Promise<void> {
    if (await this.#closeAtLast(task)) await this.#comeBack([id]);
  }

  /** Volumes are closed; those whose documents are there begin anew. */
  async #comeBack(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#leaving.delete(id);
    const again = ids.flatMap((id) => this.#wanted.get(id) ?? []);
    if (again.length === 0 || this.#parts.stopping.aborted) return;
    for (const spec of again) this.#employ(spec);
    await this.#parts.joined();
  }

  /** Closes a volume, however often that takes; false when the manager ended before. */
  async #closeAtLast(task: VolumeTask): Promise<boolean> {
    const { clock, log, stopping } = this.#parts;
    const backoff = new Backoff({ firstMs: 1000, largestMs: 60_000 });
    while (!stopping.aborted) {
      try {
        await this.#unused(task.spec.id);
        await task.close({ forget: true });
        return true;
      } catch (error) {
        if (stopping.aborted) return false;
        log.warn({ volume: task.spec.id, error: String(error) }, 'volume can not be closed yet');
        await clock.sleep(backoff.next(), stopping).catch(() => {}); // the loop asks the signal
      }
    }
    return false;
  }

  /** What is mounted on it goes first, and so do its requesters. */
  async #unused(id: string): Promise<void> {
    await this.#parts.released(id);
    const above = [...this.#leaving.values()].filter(({ task }) => task.spec.mount?.parent === id);
    await Promise.all(above.map(({ gone }) => gone));
  }
}
