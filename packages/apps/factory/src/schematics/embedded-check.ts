import { Worker } from 'node:worker_threads';

import { FactoryError } from '../errors.ts';
import { isScarce } from '../system-code.ts';
import type { EmbeddedVerdict } from './embedded-thread.ts';

type Answer = (verdict: EmbeddedVerdict | Error) => void;

/** Looks at configurations that are to be embedded, in a thread that begins with the first of them. */
export class EmbeddedCheck {
  readonly #waiting = new Map<number, Answer>();
  #thread: Worker | undefined;
  #count = 0;
  #isClosed = false;

  /**
   * A configuration with a mistake is left out by a node as a whole, and its machine would stand in maintenance.
   *
   * @throws {FactoryError} `ERR_FACTORY_CONFIGURATION` with lines, fields and rules of what is wrong, and nothing of the text.
   */
  async assertRight(text: string): Promise<void> {
    if (this.#isClosed) throw new TypeError('closed');
    const id = this.#count++;
    const answer = await new Promise<Parameters<Answer>[0]>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#thread ??= this.#begin();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#thread.postMessage({ id, text });
    });
    if (isScarce(answer)) throw answer; // no thread begins
    if (answer instanceof Error || answer.hasFailed)
      throw new TypeError('a configuration could not be looked at', { cause: answer });
    if (answer.problems === undefined) return;
    const field = 'customization.embeddedMachineConfiguration';
    throw new FactoryError('ERR_FACTORY_CONFIGURATION', `${field}: ${answer.problems}`);
  }

  /** Who waits is told that there is no answer. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }

  #begin(): Worker {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const thread = new Worker(new URL(`embedded-thread.${extension}`, import.meta.url), {
      // A thread has no hooks of this one's: a program that runs from sources says so to it.
      ...(extension === 'ts' && { execArgv: ['--conditions=source'] }),
    });
    thread.on('message', (verdict: EmbeddedVerdict) => this.#answer(verdict.id, verdict));
    thread.on('error', (error: Error) => this.#failAll(error));
    thread.on('exit', () => {
      // The next text has a new one.
      if (this.#thread === thread) this.#thread = undefined;
      this.#failAll(new TypeError('the thread has ended'));
    });
    return thread;
  }

  #answer(id: number, answer: Parameters<Answer>[0]): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  #failAll(error: Error): void {
    for (const id of this.#waiting.keys()) this.#answer(id, error);
  }
}
