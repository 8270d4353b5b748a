import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { StateError } from '../state-error.ts';
import { type FromThread, receiveError, type Request, type ThreadData, type ToThread } from './messages.ts';

/** What a commit came to. */
export type CommitResult = Exclude<FromThread, { readonly opened: true } | { readonly failure: unknown }>;

type Waiting = { readonly resolve: (message: FromThread) => void; readonly reject: (error: Error) => void };

/** This thread's end of the thread that writes. It keeps the process alive while a commit is on its way only. */
export class WriteThread {
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  #waiting: Waiting | undefined;
  #lost: StateError | undefined;

  private constructor(data: ThreadData) {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`commit-thread.${extension}`, import.meta.url), {
      workerData: data,
      // A thread has no hooks of this one's: a program that runs from sources says so to it.
      ...(extension === 'ts' && { execArgv: ['--conditions=source'] }),
    });
    this.#exited = once(this.#worker, 'exit').catch(() => {}); // `error` comes before it
    const lose = (cause?: unknown): void => {
      const why = cause instanceof Error ? ` (${cause.message})` : '';
      const message = `the thread that writes has ended${why}; what was on its way may have been written`;
      this.#lost ??= new StateError('ERR_STATE_UNKNOWN', data.path, message, { cause });
      this.#waiting?.reject(this.#lost);
    };
    this.#worker.on('message', (message: FromThread) => this.#waiting?.resolve(message));
    this.#worker.on('error', lose);
    this.#worker.on('exit', () => lose());
  }

  /** Opens or makes the file. @throws {StateError} `ERR_STATE_NEWER`, `ERR_STATE_KEY`, `ERR_STATE_CORRUPT`. */
  static async open(data: ThreadData): Promise<WriteThread> {
    const thread = new WriteThread(data);
    const answer = await thread.#answer();
    if (!('failure' in answer)) return thread;
    await thread.#worker.terminate();
    throw receiveError(answer.failure);
  }

  /** Writes one commit; the next is for after its end. @throws {StateError} when nothing of it was written, or it is unknown. */
  async commit(requests: readonly Request[]): Promise<CommitResult> {
    const answer = this.#answer();
    this.#send({ requests });
    const result = await answer;
    if ('revision' in result) return result;
    throw 'failure' in result ? receiveError(result.failure) : new TypeError('an answer to no commit');
  }

  /** Closes the file there. */
  async close(): Promise<void> {
    if (this.#lost === undefined) {
      this.#worker.ref();
      this.#send({ close: true });
    }
    await this.#exited;
  }

  async #answer(): Promise<FromThread> {
    if (this.#lost !== undefined) throw this.#lost;
    const { promise, resolve, reject } = Promise.withResolvers<FromThread>();
    this.#waiting = { resolve, reject };
    this.#worker.ref();
    try {
      return await promise;
    } finally {
      this.#waiting = undefined;
      this.#worker.unref();
    }
  }

  #send(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(message);
  }
}
