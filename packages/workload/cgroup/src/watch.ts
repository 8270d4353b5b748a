import { join } from 'node:path';

import { Inotify, inotifyMask } from '@nodecore/native';
import { type Clock, onAbort, systemClock } from '@nodecore/waiting';

import { CgroupError } from './errors.ts';
import { errnoOf, translate } from './failure.ts';
import { reachable } from './path-bytes.ts';
import { CgroupReader, type OpenOptions } from './reader.ts';
import type { CgroupTree, GoneCgroup } from './tree.ts';

export type WatchOptions = OpenOptions & {
  /** How long changes gather before they are told as one batch; default 20 ms. */
  readonly settleMs?: number;
  /** How often to look where the kernel gives no more watches (fs.inotify.max_user_watches); default 1 s. */
  readonly sampleMs?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
};

export type SeenCgroup = { readonly id: number; readonly path: string };

/** What came and went since the batch before. */
export type CgroupChanges = {
  /** Parents before children. In the first batch: all that there are. */
  readonly appeared: readonly SeenCgroup[];
  readonly gone: readonly GoneCgroup[];
  /** Whether it was found by looking from time to time, not by being told: the kernel's watches did not suffice. */
  readonly sampled: boolean;
};

/**
 * The cgroups below a directory, and then those that come and go.
 *
 * Notifications only say when to look; what is true is what the next scan finds. So none can be missed, and a cgroup
 * that came and went between two looks is never mentioned. A directory is watched before it is listed: nothing falls
 * between the two. Ends when the consumer stops.
 *
 * @throws {CgroupError} `ERR_CGROUP_VERSION`, `ERR_CGROUP_NOT_FOUND` when the root is gone.
 */
export function watchCgroups(
  directory?: string,
  options: WatchOptions = {},
): AsyncIterableIterator<CgroupChanges> {
  const stop = new AbortController();
  const changes = follow(directory, options, stop.signal);
  return {
    next: () => changes.next(),
    return: () => {
      // A generator that waits for a change would not see `return` before the next one.
      stop.abort(new Stopped());
      return changes.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The consumer wants no more; never seen outside. */
class Stopped extends Error {}

async function* follow(
  directory: string | undefined,
  options: WatchOptions,
  stop: AbortSignal,
): AsyncGenerator<CgroupChanges, undefined, undefined> {
  const { settleMs = 20, sampleMs = 1000, clock = systemClock } = options;
  const signal = options.signal === undefined ? stop : AbortSignal.any([options.signal, stop]);
  signal.throwIfAborted();
  using reader = await CgroupReader.open(directory, options);
  using watches = new Watches(reader.directory);
  using _listener = onAbort(signal, () => watches.close());
  const tell = new Gathered();
  try {
    while (true) {
      await look(reader, watches, tell, signal);
      const changes = tell.take(watches.exhausted);
      if (changes !== undefined) yield changes;
      if (!watches.exhausted) await watches.changed();
      await clock.sleep(watches.exhausted ? sampleMs : settleMs, signal);
    }
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
}

/** Scans until a scan finds nothing new: what it found is watched now, and was looked at once more after that. */
async function look(
  reader: CgroupReader,
  watches: Watches,
  tell: Gathered,
  signal: AbortSignal,
): Promise<void> {
  watches.add({ id: 0, path: '/' });
  let tree: CgroupTree;
  do {
    tree = await reader.read({ files: [], signal });
    tell.add(tree);
    for (const { id } of tree.gone) watches.forget(id);
    for (const { id, path } of tree.appeared) watches.add({ id, path });
  } while (tree.appeared.length > 0);
}

/** Changes of several scans as one: what came and went meanwhile is not worth telling. */
class Gathered {
  readonly #appeared = new Map<number, SeenCgroup>();
  readonly #gone: GoneCgroup[] = [];
  #first = true;

  add({ appeared, gone }: CgroupTree): void {
    for (const { id, path } of appeared) this.#appeared.set(id, { id, path });
    for (const cgroup of gone) if (!this.#appeared.delete(cgroup.id)) this.#gone.push(cgroup);
  }

  take(sampled: boolean): CgroupChanges | undefined {
    const changes = { appeared: [...this.#appeared.values()], gone: this.#gone.splice(0), sampled };
    this.#appeared.clear();
    const nothing = changes.appeared.length === 0 && changes.gone.length === 0 && !this.#first;
    this.#first = false;
    return nothing ? undefined : changes;
  }
}

/** inotify watches of directories. */
class Watches implements Disposable {
  readonly #inotify: Inotify;
  readonly #root: string;
  readonly #numbers = new Map<number, number>();
  /** The kernel gives no more. */
  exhausted = false;

  constructor(root: string) {
    this.#root = root;
    try {
      this.#inotify = Inotify.open();
    } catch (error) {
      throw translate(error, root);
    }
  }

  add({ id, path }: SeenCgroup): void {
    if (this.#numbers.has(id) || this.exhausted || this.#inotify.closed) return;
    try {
      this.#numbers.set(
        id,
        reachable(join(this.#root, path), (there) =>
          this.#inotify.add(there, inotifyMask.create | inotifyMask.delete),
        ),
      );
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ENOENT') return; // gone already; the next scan says so
      if (errno !== 'ENOSPC' && errno !== 'ENOMEM') throw translate(error, join(this.#root, path));
      this.exhausted = true;
    }
  }

  /** The kernel has removed the watch with the directory. */
  forget(id: number): void {
    this.#numbers.delete(id);
  }

  /** Resolves when something happened, whatever it was, an overflow included. */
  async changed(): Promise<void> {
    if (this.#inotify.closed) return;
    try {
      await this.#inotify.receive();
    } catch (error) {
      throw new CgroupError('ERR_CGROUP_FAILED', this.#root, 'watching', { cause: error });
    }
  }

  close(): void {
    this.#inotify.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
