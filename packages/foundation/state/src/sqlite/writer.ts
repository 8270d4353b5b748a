import { type Clock, onAbort, Signal } from '@nodecore/waiting';

import type { Operation } from '../operation.ts';
import type { Change } from '../seen.ts';
import type { Committed } from '../state.ts';
import { receiveError } from './messages.ts';
import type { WriteThread } from './write-thread.ts';

type Waiting = {
  readonly operations: readonly Operation[];
  readonly signal: AbortSignal | undefined;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: unknown) => void;
};

/** A commit takes what has come by its turn, up to so many transactions; the rest is for the next one. */
const maxTransactions = 256;

/** The one writer: transactions wait in a queue and are committed together; what comes while the disk works is next. */
export class Writer {
  readonly #thread: WriteThread;
  readonly #clock: Clock;
  readonly #publish: (changes: readonly Change[]) => void;
  readonly #published = new Signal();
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #revision: number;

  /**
   * @param revision of the file when it was opened.
   * @param publish is given what was committed, before the writers are told.
   */
  constructor(
    thread: WriteThread,
    revision: number,
    clock: Clock,
    publish: (changes: readonly Change[]) => void,
  ) {
    this.#thread = thread;
    this.#revision = revision;
    this.#clock = clock;
    this.#publish = publish;
  }

  /** Of the last commit that was published. */
  get revision(): number {
    return this.#revision;
  }

  /** Resolves when this revision, which a reader has seen in the file, is published, or nothing will be any more. */
  async reached(revision: number): Promise<void> {
    while (this.#revision < revision && this.#running !== undefined)
      await Promise.race([this.#published.next(), this.#running]);
  }

  /** Resolves after the commit that has it. */
  async write(operations: readonly Operation[], signal: AbortSignal | undefined): Promise<Committed> {
    const { promise, resolve, reject } = Promise.withResolvers<Committed>();
    this.#queue.push({ operations, signal, resolve, reject });
    using _abort = onAbort(signal, () => reject(signal?.reason));
    this.#running ??= this.#run();
    return await promise;
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    // What comes in the same turn of the loop is in one commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) await this.#commit(this.#queue.splice(0, maxTransactions));
    this.#running = undefined;
  }

  async #commit(taken: readonly Waiting[]): Promise<void> {
    const waiting = taken.filter(({ signal }) => signal?.aborted !== true); // they have been told
    if (waiting.length === 0) return;
    const nowMs = this.#clock.now();
    try {
      const { revision, changes, answers } = await this.#thread.commit(
        waiting.map(({ operations }) => ({ operations, nowMs })),
      );
      this.#revision = revision;
      if (changes.length > 0) this.#publish(changes);
      for (const [index, { resolve, reject }] of waiting.entries()) {
        const answer = answers[index];
        if (answer !== undefined && 'resources' in answer) resolve(answer);
        else reject(answer && receiveError(answer.refused));
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
    this.#published.notify();
  }
}
