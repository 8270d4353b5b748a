import type { StatsFsBase } from 'node:fs';
import { statfs } from 'node:fs/promises';

import type { MountInit } from '@nodecore/api/machine';
import { type Mount, mounts } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';
import { type Clock, systemClock, within } from '@nodecore/waiting';

export type MountTableOptions = {
  readonly list?: () => Promise<readonly Mount[]>;
  readonly size?: (target: string) => Promise<StatsFsBase<bigint>>;
  readonly clock?: Clock;
};

/** A file system that does not answer within this time gets an error in its row. */
const deadlineMs = 2_000;

/** The kernel's mount table with sizes. A dead file system delays one answer by the deadline, and no other row. */
export class MountTable {
  readonly #list: () => Promise<readonly Mount[]>;
  readonly #size: (target: string) => Promise<StatsFsBase<bigint>>;
  readonly #clock: Clock;
  /** Mounts that owe an answer. statfs(2) can't be interrupted: each holds a thread, and must not get another. */
  readonly #silent = new Set<number>();

  constructor(options: MountTableOptions = {}) {
    this.#list = options.list ?? (() => mounts.list());
    this.#size = options.size ?? ((target) => statfs(target, { bigint: true }));
    this.#clock = options.clock ?? systemClock;
  }

  async read(): Promise<MountInit[]> {
    return Promise.all((await this.#list()).map((mount) => this.#row(mount)));
  }

  async #row({ id, source, target, type, options }: Mount): Promise<MountInit> {
    const known = { source, target, type, options };
    try {
      const sizes = await this.#sizes(id, target);
      if (sizes === undefined) return { ...known, error: 'no answer' };
      const { bsize, blocks, bfree, bavail, files, ffree } = sizes;
      return {
        ...known,
        sizeBytes: bsize * blocks,
        usedBytes: bsize * (blocks - bfree),
        availableBytes: bsize * bavail,
        inodes: files,
        inodesFree: ffree,
      };
    } catch (error) {
      return { ...known, error: codeOf(error) ?? String(error) };
    }
  }

  async #sizes(id: number, target: string): Promise<StatsFsBase<bigint> | undefined> {
    if (this.#silent.has(id)) return undefined;
    const reading = this.#size(target);
    const answer = await within(this.#clock, deadlineMs, reading);
    if (answer !== undefined) return answer.value;
    this.#silent.add(id);
    const forgive = (): void => void this.#silent.delete(id);
    reading.then(forgive, forgive);
    return undefined;
  }
}
