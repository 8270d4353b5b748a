import { onAbort } from './on-abort.ts';

/**
 * Runs tasks one at a time, in the order they arrive. A failed task does not stop the next.
 *
 * A library that is not thread-safe gets one of these for the whole process.
 *
 * @example
 * const table = new Serial();
 * await table.run(() => writePartitions(disk), signal);
 */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  /** @param signal ends the wait for a turn, at once; a task that has started is not interrupted by it. */
  run<T>(task: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal === undefined) {
      const result = this.#tail.then(task);
      this.#tail = result.catch(() => {});
      return result;
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiting = onAbort(signal, reject);
    const begin = async (): Promise<void> => {
      waiting[Symbol.dispose]();
      if (signal.aborted) return; // it has been rejected
      try {
        resolve(await task());
      } catch (error) {
        reject(error);
      }
    };
    this.#tail = this.#tail.then(begin);
    return promise;
  }
}
