import { WaitingError } from './errors.ts';
import { onAbort } from './on-abort.ts';
import { Signal } from './signal.ts';

export type BoundedQueueOptions<T> = {
  /** Largest sum of the weights in the queue. An item that is heavier comes in when the queue is empty. */
  readonly max: number;
  /** What an item weighs, its bytes for example; 1 by default, so that `max` counts items. Asked once for each. */
  readonly weigh?: (item: T) => number;
};

type Entry<T> = { readonly item: T; readonly weight: number };
type Pushing<T> = Entry<T> & PromiseWithResolvers<void>;

/**
 * Between those who bring items and the one who reads them. Who brings more than fits waits for room, in the order of
 * coming.
 *
 * @example
 * const chunks = new BoundedQueue<Uint8Array>({ max: 1 << 20, weigh: (chunk) => chunk.byteLength });
 * const written = writeFile(path, chunks);
 * for await (const chunk of source) await chunks.push(chunk, signal);
 * chunks.close();
 * await written;
 */
export class BoundedQueue<T> implements AsyncIterable<T> {
  readonly #max: number;
  readonly #weigh: (item: T) => number;
  #entries: Entry<T>[] = [];
  /** How many of `#entries` have been read: they go all at once. */
  #read = 0;
  #weight = 0;
  readonly #pushing = new Set<Pushing<T>>();
  readonly #changed = new Signal();
  #hasReader = false;
  /** What a push is rejected with, from the end on. */
  #end: { readonly error: unknown } | undefined;
  #failed = false;

  constructor({ max, weigh = () => 1 }: BoundedQueueOptions<T>) {
    this.#max = max;
    this.#weigh = weigh;
  }

  /** Items that have come in and were not read yet. */
  get length(): number {
    return this.#entries.length - this.#read;
  }

  /** Resolves when the item is in the queue.
   *
   * @throws `signal.reason` when the signal fires before, or has fired; the item is then not in it.
   * @throws {WaitingError} `ERR_QUEUE_CLOSED` after the end, and when the reader leaves while it waits.
   * @throws what the queue failed with.
   */
  async push(item: T, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#end !== undefined) throw this.#end.error;
    const pushing = { item, weight: this.#weigh(item), ...Promise.withResolvers<void>() };
    if (this.#pushing.size === 0 && this.#fits(pushing)) return this.#enter(pushing);
    this.#pushing.add(pushing);
    using _listener = onAbort(signal, (reason) => {
      if (!this.#pushing.delete(pushing)) return; // it came in first
      pushing.reject(reason);
      this.#admit(); // a lighter one may have waited behind it
    });
    await pushing.promise;
  }

  /** Nothing more comes. What is here, and who waits for room, is still read. Of no effect after an end. */
  close(): void {
    this.#end ??= { error: new WaitingError('ERR_QUEUE_CLOSED', 'the queue takes no more: it was closed') };
    this.#changed.notify();
  }

  /** The reader gets `error` at its next step, and who waits for room gets it now. Of no effect after an end. */
  fail(error: unknown): void {
    if (this.#end !== undefined) return;
    this.#failed = true;
    this.#abandon(error);
    this.#changed.notify();
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return this.read();
  }

  /**
   * What comes, to the end. There is one reader: when it leaves, nobody's item comes in any more.
   *
   * @throws `signal.reason` when the signal fires: an end that comes early is no end.
   * @throws what the queue failed with.
   * @throws TypeError for a second reader.
   */
  async *read(signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
    if (this.#hasReader) throw new TypeError('a queue has one reader');
    this.#hasReader = true;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const entry = this.#shift();
        if (entry !== undefined) yield entry.item;
        else if (this.#failed) throw this.#end?.error;
        else if (this.#end !== undefined) return;
        else await this.#changed.wait(signal);
      }
    } finally {
      this.#abandon(new WaitingError('ERR_QUEUE_CLOSED', 'the queue takes no more: nobody reads it'));
    }
  }

  #fits({ weight }: Entry<T>): boolean {
    return this.length === 0 || this.#weight + weight <= this.#max;
  }

  #enter({ item, weight }: Entry<T>): void {
    this.#entries.push({ item, weight });
    this.#weight += weight;
    this.#changed.notify();
  }

  #shift(): Entry<T> | undefined {
    const entry = this.#entries[this.#read];
    if (entry === undefined) return undefined;
    this.#read += 1;
    this.#weight -= entry.weight;
    if (this.#read * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#read);
      this.#read = 0;
    }
    this.#admit();
    return entry;
  }

  #admit(): void {
    for (const pushing of this.#pushing) {
      if (!this.#fits(pushing)) return;
      this.#pushing.delete(pushing);
      this.#enter(pushing);
      pushing.resolve();
    }
  }

  /** Drops what is here. */
  #abandon(error: unknown): void {
    this.#end ??= { error };
    this.#entries = [];
    this.#read = 0;
    this.#weight = 0;
    for (const { reject } of this.#pushing) reject(this.#end.error);
    this.#pushing.clear();
  }
}
