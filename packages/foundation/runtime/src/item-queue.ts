import { Backoff, type Clock } from '@nodecore/waiting';

/** What became of one run of an item. */
export type ItemResult = {
  /** Absent: the item is done until something wakes it. */
  readonly again?: 'failed' | { readonly afterMs: number };
};

/** Handles one item. Never rejects: a failure is a result. */
export type HandleItem = (item: string, signal: AbortSignal) => Promise<ItemResult>;

export type ItemQueueOptions = {
  /** Items handled at the same time. */
  readonly concurrency: number;
  /** First and largest delay after failures of one item, in milliseconds. */
  readonly firstMs: number;
  readonly maxMs: number;
  readonly clock: Clock;
  /** Random number in [0, 1), for the jitter of delays. */
  readonly random: () => number;
  readonly handle: HandleItem;
};

type Entry = {
  readonly backoff: Backoff;
  /** Something woke it while it ran: it runs once more. */
  isDirty: boolean;
  isRunning: boolean;
  /** Ends the wait for its next try. */
  delay: AbortController | undefined;
};

/**
 * The items of one controller: each waits at most once, runs at most once at a time, and in the order in which it was
 * woken. An item that fails is tried again after a growing delay of its own and delays no other; a wake-up ends the delay.
 */
export class ItemQueue {
  readonly #options: ItemQueueOptions;
  readonly #signal: AbortSignal;
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new Set<string>();
  readonly #running = new Set<Promise<void>>();

  /** @param signal ends delays and starts no further item; it is handed to those that run. */
  constructor(options: ItemQueueOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Items that are ready, running, or waiting for their next try. */
  get size(): number {
    return this.#entries.size;
  }

  /** How many times in a row an item failed. */
  failuresOf(item: string): number {
    return this.#entries.get(item)?.backoff.failures ?? 0;
  }

  /** Has the item run now, or once more when it runs already. */
  wake(item: string): void {
    if (this.#signal.aborted) return;
    const entry = this.#entryOf(item);
    if (entry.isRunning) {
      entry.isDirty = true;
      return;
    }
    entry.delay?.abort();
    entry.delay = undefined;
    this.#ready.add(item);
    this.#fill();
  }

  /** Resolves when every item that runs has ended. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #entryOf(item: string): Entry {
    const known = this.#entries.get(item);
    if (known !== undefined) return known;
    const { firstMs, maxMs, random } = this.#options;
    const backoff = new Backoff({ firstMs, largestMs: maxMs, random });
    const entry: Entry = { backoff, isDirty: false, isRunning: false, delay: undefined };
    this.#entries.set(item, entry);
    return entry;
  }

  #fill(): void {
    for (const item of this.#ready) {
      if (this.#signal.aborted || this.#running.size >= this.#options.concurrency) return;
      this.#ready.delete(item);
      const run = this.#run(item, this.#entryOf(item)).finally(() => {
        this.#running.delete(run);
        this.#fill();
      });
      this.#running.add(run);
    }
  }

  async #run(item: string, entry: Entry): Promise<void> {
    entry.isRunning = true;
    entry.isDirty = false;
    const { again } = await this.#options.handle(item, this.#signal);
    entry.isRunning = false;
    if (again !== 'failed') entry.backoff.reset();
    if (entry.isDirty) this.#ready.add(item);
    else if (again === undefined) this.#entries.delete(item);
    else this.#later(item, entry, again === 'failed' ? entry.backoff.next() : again.afterMs);
  }

  #later(item: string, entry: Entry, afterMs: number): void {
    const delay = (entry.delay = new AbortController());
    const signal = AbortSignal.any([delay.signal, this.#signal]);
    this.#options.clock.sleep(afterMs, signal).then(
      () => this.wake(item),
      () => {}, // woken before, or the end
    );
  }
}
