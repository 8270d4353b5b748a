import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { confirmRestore, resumeRestore, type Stall } from '@nodecore/kvstore';
import { codeOf, makeDirectory, removeFileDurably, writeFileAtomic } from '@nodecore/sys';

import type { Beginning } from './arguments.ts';
import { hexId } from './member-state.ts';

export type KnownMembers = {
  /** 16 hexadecimal digits: JSON's numbers are too small. */
  readonly memberId: string;
  /** Client URLs of the others. */
  readonly others: readonly string[];
};

/** JSON's numbers are too small. */
type StoredStall = { readonly memberId: string; readonly inUseBytes: string; readonly tookMs: number };

const keptStalls = 20;

/**
 * Where the member keeps its data, and what survives a crash of a change to it:
 *
 * - `data`: etcd's own directory. A recovery is made in it, beside what is there (see `restoreSnapshot`).
 * - `data.gone`: data of a member that has left; thrown away at the next look.
 * - `beginning.json`: how a member begins, until it was healthy once.
 * - `members.json`: who was in the cluster; `left`: this member is not any more.
 * - `stalls.json`: how long defragmentations took.
 * - `recover.db`: a snapshot to recover from; `recover.db.part` while it arrives.
 */
export class DataDirectory {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Makes it when it is not there, and finishes or undoes what a crash left in the middle. */
  static async open(path: string): Promise<DataDirectory> {
    await makeDirectory(path);
    const directory = new DataDirectory(path);
    await directory.#tidy();
    return directory;
  }

  get data(): string {
    return join(this.path, 'data');
  }

  get snapshot(): string {
    return join(this.path, 'recover.db');
  }

  get snapshotPart(): string {
    return join(this.path, 'recover.db.part');
  }

  /** Ends a recovery that was interrupted, by a crash or by a failure; nothing else may use the data meanwhile. */
  async resume(): Promise<void> {
    if ((await names(this.path)).includes('data')) await resumeRestore(this.data);
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

  /** What earlier defragmentations of this member took, the newest last. */
  async stalls(): Promise<readonly Stall[]> {
    const stored = (await this.#json<readonly StoredStall[]>(this.#stalls)) ?? [];
    return stored.map(({ memberId, inUseBytes, tookMs }) => ({
      memberId: BigInt(`0x${memberId}`),
      inUseBytes: BigInt(inUseBytes),
      tookMs,
    }));
  }

  async rememberStall(stall: Stall): Promise<void> {
    const all = [...(await this.stalls()), stall].slice(-keptStalls);
    const stored = all.map(({ memberId, inUseBytes, tookMs }): StoredStall => ({
      memberId: hexId(memberId),
      inUseBytes: `${inUseBytes}`,
      tookMs,
    }));
    await writeFileAtomic(this.#stalls, JSON.stringify(stored));
  }

  async remember(known: KnownMembers): Promise<void> {
    await writeFileAtomic(this.#known, JSON.stringify(known));
  }

  /** The member is healthy: what was kept for the case that it does not become so is not needed any more. */
  async settle(): Promise<void> {
    // First of all, for they say that what is there may be replaced.
    for (const path of [this.#beginning, this.snapshot]) await rm(path, { force: true });
    await sync(this.path);
    if (await this.hasData()) await confirmRestore(this.data);
  }

  /** The member has left: it has no data any more, and gets none by itself. */
  async abandon(): Promise<void> {
    await writeFileAtomic(this.#left, '');
    // Renamed first: a crash in between leaves no half of a member.
    await rm(this.#gone, { recursive: true, force: true });
    if ((await names(this.path)).includes('data')) await rename(this.data, this.#gone);
    for (const path of [this.#known, this.#stalls, this.#beginning, this.snapshot, this.#gone])
      await rm(path, { recursive: true, force: true });
    await sync(this.path);
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

  get #stalls(): string {
    return join(this.path, 'stalls.json');
  }

  get #known(): string {
    return join(this.path, 'members.json');
  }

  get #gone(): string {
    return join(this.path, 'data.gone');
  }

  get #beginning(): string {
    return join(this.path, 'beginning.json');
  }

  async #tidy(): Promise<void> {
    await this.resume();
    for (const path of [this.#gone, this.snapshotPart]) await rm(path, { recursive: true, force: true });
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
