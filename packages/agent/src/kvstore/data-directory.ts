import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, removeFileDurably, writeFileAtomic } from '@nodecore/sys';

import type { Beginning } from './arguments.ts';

export type KnownMembers = {
  /** 16 hexadecimal digits: JSON's numbers are too small. */
  readonly memberId: string;
  /** Client URLs of the others. */
  readonly others: readonly string[];
};

/**
 * Where the member keeps its data, and what survives a crash of a change to it:
 *
 * - `data`: etcd's own directory; there or not, never half there.
 * - `data.part`: being restored; thrown away at the next look.
 * - `failed`: what a second recovery replaces because the first one did not become healthy.
 * - `former`: what `data` was before a recovery, until the new member is healthy.
 * - `beginning.json`: how a member begins, until it was healthy once.
 * - `members.json`: who was in the cluster; `left`: this member is not any more.
 * - `recover.db`: a snapshot to recover from; `recover.db.part` while it arrives.
 */
export class DataDirectory {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Makes it when it is not there, and finishes or undoes what a crash left in the middle. */
  static async open(path: string): Promise<DataDirectory> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const directory = new DataDirectory(path);
    await directory.#tidy();
    return directory;
  }

  get data(): string {
    return join(this.path, 'data');
  }

  /** Where a restored database is made, on the same filesystem as {@link data}. */
  get part(): string {
    return join(this.path, 'data.part');
  }

  get snapshot(): string {
    return join(this.path, 'recover.db');
  }

  get snapshotPart(): string {
    return join(this.path, 'recover.db.part');
  }

  /** Whether there is a member: one that has a log. etcd makes the log as a whole, or not at all. */
  async hasData(): Promise<boolean> {
    return (await names(join(this.data, 'member', 'wal'))).some((name) => name.endsWith('.wal'));
  }

  /** Whether it has left its cluster: it does not join again by itself. */
  async hasLeft(): Promise<boolean> {
    return (await names(this.path)).includes('left');
  }

  /** From now on it may join again. */
  async forgetLeaving(): Promise<void> {
    await removeFileDurably(this.#left);
  }

  async hasSnapshot(): Promise<boolean> {
    return (await names(this.path)).includes('recover.db');
  }

  /** Undefined once the member was healthy. */
  async beginning(): Promise<Beginning | undefined> {
    return await this.#json<Beginning>(this.#beginning);
  }

  /** Remembers how the member begins: a crash before it has data begins it again, the same way. */
  async begin(beginning: Beginning): Promise<void> {
    await writeFileAtomic(this.#beginning, JSON.stringify(beginning));
  }

  /** It could not begin that way, and has no data yet. */
  async forgetBeginning(): Promise<void> {
    await removeFileDurably(this.#beginning);
  }

  /** Who is in the cluster, as far as this member knew when it was healthy last. */
  async known(): Promise<KnownMembers | undefined> {
    return await this.#json<KnownMembers>(this.#known);
  }

  async remember(known: KnownMembers): Promise<void> {
    await writeFileAtomic(this.#known, JSON.stringify(known));
  }

  /** Puts what was restored in {@link part} in the place of the data, which is kept aside until {@link settle}. */
  async replace(): Promise<void> {
    const found = await names(this.path);
    if (found.includes('data')) {
      // Data that was itself never healthy does not take the place of what was.
      await rename(this.data, found.includes('former') ? this.#failed : this.#former);
      await sync(this.path);
    }
    await rename(this.part, this.data);
    await sync(this.path);
    await rm(this.#failed, { recursive: true, force: true });
  }

  /** The member is healthy: what was kept for the case that it does not become so is not needed any more. */
  async settle(): Promise<void> {
    for (const path of [this.#former, this.#beginning, this.snapshot, this.snapshotPart])
      await rm(path, { recursive: true, force: true });
    await sync(this.path);
  }

  /** The member has left: it has no data any more, and gets none by itself. */
  async abandon(): Promise<void> {
    await writeFileAtomic(this.#left, '');
    // Renamed first: a crash in between leaves no half of a member.
    await rm(this.part, { recursive: true, force: true });
    if ((await names(this.path)).includes('data')) await rename(this.data, this.part);
    await rm(this.#known, { force: true });
    await this.settle();
    await rm(this.part, { recursive: true, force: true });
  }

  async #json<T>(path: string): Promise<T | undefined> {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as T;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  get #left(): string {
    return join(this.path, 'left');
  }

  get #known(): string {
    return join(this.path, 'members.json');
  }

  get #former(): string {
    return join(this.path, 'former');
  }

  get #failed(): string {
    return join(this.path, 'failed');
  }

  get #beginning(): string {
    return join(this.path, 'beginning.json');
  }

  async #tidy(): Promise<void> {
    const found = await names(this.path);
    // Between the two renames of a replacement there is no data: what was there before comes back.
    if (!found.includes('data') && found.includes('former')) await rename(this.#former, this.data);
    for (const path of [this.part, this.#failed, this.snapshotPart])
      await rm(path, { recursive: true, force: true });
    await sync(this.path);
  }
}

async function names(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function sync(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}
