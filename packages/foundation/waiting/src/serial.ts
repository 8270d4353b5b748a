/**
 * Runs tasks one at a time, in the order they arrive. A failed task does not stop the next.
 *
 * A library that is not thread-safe gets one of these for the whole process.
 */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve();

  /** @param signal ends the wait for a turn; a task that has started is not interrupted by it. */
  run<T>(task: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#tail.then(() => {
      signal?.throwIfAborted(); // may have been aborted while it waited its turn
      return task();
    });
    this.#tail = result.catch(() => {});
    return result;
  }
}
