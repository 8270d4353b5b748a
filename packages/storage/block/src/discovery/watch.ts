import { setImmediate } from 'node:timers/promises';

import { Backoff, type Clock, onAbort, systemClock } from '@nodecore/waiting';

import { BlockEvents } from './block-events.ts';
import { ChangeSet } from './change-set.ts';
import { BlockError } from '../errors.ts';
import type { Inventory } from '../inventory.ts';
import type { ListOptions } from './list.ts';
import { Scanner } from './scanner.ts';

export type WatchOptions = ListOptions & {
  /** Time for coalescing and for retries; tests inject it. */
  readonly clock?: Clock;
};

/** Partitioning a disk announces a dozen changes within a few milliseconds: one look at the end of them is enough. */
const settleMs = 50;

/**
 * Some changes nobody announces: a partition that is resized by its ioctl, an array that loses a member. The kernel's
 * facts are read again this often; content is not, and no device is touched.
 */
const factsEveryMs = 30_000;

/** Inventories as they change. */
export type InventoryWatch = AsyncIterableIterator<Inventory> & {
  /**
   * Whether the newest inventory was complete when it was made: everything that the kernel had announced by the end of
   * its scan is in it. Once true, it stays true: what comes later is a change, not the rest of the beginning.
   */
  readonly settled: boolean;
};

/**
 * The inventory now, and again whenever it has changed or become complete.
 *
 * Changes are listened to before the first scan, so none falls between the two. Lost announcements lead to a scan of
 * everything. A disk that can't be opened is tried again with back-off; one that hangs, when its call returns. Changes
 * that arrive while the consumer is busy are gathered: it always gets the newest state, not every state.
 *
 * Ends when the consumer stops or `return()` is called, and rejects with the signal's reason, or with
 * `ERR_BLOCK_WATCH_FAILED` when the kernel's notifications break off; what was yielded before is stale then.
 */
export function watch(options: WatchOptions = {}): InventoryWatch {
  const stop = new AbortController();
  const progress = { settled: false };
  const inventories = follow(options, stop.signal, progress);
  return {
    get settled() {
      return progress.settled;
    },
    next: () => inventories.next(),
    return: () => {
      // A generator that waits for a change would not see `return` before the next one.
      stop.abort(new Stopped());
      return inventories.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The consumer wants no more; never seen outside. */
class Stopped extends Error {}

async function* follow(
  options: WatchOptions,
  stop: AbortSignal,
  progress: { settled: boolean },
): AsyncGenerator<Inventory, undefined, undefined> {
  const { clock = systemClock, deadlineMs } = options;
  const signal = options.signal === undefined ? stop : AbortSignal.any([options.signal, stop]);
  signal.throwIfAborted();
  const changes = new ChangeSet();
  using events = openEvents(changes);
  using scanner = new Scanner({
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    beforeRead: (disk, path) => events.watchNode(disk, path),
  });
  const retries = new Retries(scanner, changes, clock, signal);
  using _listener = onAbort(signal, (reason) => changes.fail(reason));
  void events.run().catch((error: unknown) => changes.fail(broken(error)));
  const ended = new AbortController();
  void remind(changes, clock, AbortSignal.any([signal, ended.signal]));
  try {
    let last: Inventory | undefined;
    for (
      let changed: ReadonlySet<string> | undefined;
      ;
      changed = await nextChanges(changes, clock, signal)
    ) {
      const inventory = await scanner.scan({ signal, ...(changed === undefined ? {} : { changed }) });
      retries.plan(inventory);
      const settles = !progress.settled && (await isQuiet(changes));
      progress.settled ||= settles;
      if (inventory !== last || settles) yield inventory;
      last = inventory;
    }
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  } finally {
    ended.abort();
  }
}

/** Whether nothing was announced during the scan. What the kernel has sent by now, the loop reads in its next turn. */
async function isQuiet(changes: ChangeSet): Promise<boolean> {
  await setImmediate();
  await setImmediate(); // the first may be due in a turn that has asked the kernel already
  return !changes.pending;
}

async function nextChanges(
  changes: ChangeSet,
  clock: Clock,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  await changes.wait();
  await clock.sleep(settleMs, signal);
  return changes.take();
}

async function remind(changes: ChangeSet, clock: Clock, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(factsEveryMs, signal);
      changes.touch();
    }
  } catch {
    // The watch ended.
  }
}

function openEvents(changes: ChangeSet): BlockEvents {
  try {
    return new BlockEvents({
      onDisk: (id) => changes.add(id),
      onFacts: () => changes.touch(),
      onOverflow: () => changes.addAll(),
    });
  } catch (error) {
    throw broken(error);
  }
}

function broken(cause: unknown): BlockError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BlockError('ERR_BLOCK_WATCH_FAILED', '/sys/block', `watching disks: ${reason}`, { cause });
}

/** Looks again at disks that could not be read. */
class Retries {
  readonly #scanner: Scanner;
  readonly #changes: ChangeSet;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #backoffs = new Map<string, Backoff>();
  readonly #awaited = new Set<string>();

  constructor(scanner: Scanner, changes: ChangeSet, clock: Clock, signal: AbortSignal) {
    this.#scanner = scanner;
    this.#changes = changes;
    this.#clock = clock;
    this.#signal = signal;
  }

  plan({ volumes }: Inventory): void {
    const hanging = this.#scanner.hanging();
    for (const { disk, returned } of hanging) void this.#once(disk, () => returned);
    const failing = new Set(
      volumes.filter(({ error }) => error !== undefined).map(({ id, parent }) => parent || id),
    );
    for (const id of this.#backoffs.keys()) if (!failing.has(id)) this.#backoffs.delete(id);
    for (const id of failing) {
      if (!hanging.some(({ disk }) => disk === id)) void this.#once(id, () => this.#delay(id));
    }
  }

  /** Marks the disk when `moment` has come; one moment per disk is enough. */
  async #once(id: string, moment: () => Promise<void>): Promise<void> {
    if (this.#awaited.has(id)) return;
    this.#awaited.add(id);
    try {
      await moment();
      this.#changes.add(id);
    } catch {
      // The watch ended.
    } finally {
      this.#awaited.delete(id);
    }
  }

  #delay(id: string): Promise<void> {
    const backoff = this.#backoffs.get(id) ?? new Backoff({ firstMs: 1000, largestMs: 60_000 });
    this.#backoffs.set(id, backoff);
    return this.#clock.sleep(backoff.next(), this.#signal);
  }
}
