import { setImmediate } from 'node:timers/promises';

/** How many calls a server answers at the moment. */
export class RunningCalls {
  #count = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /** Resolves when there are none, with the answer and the status of the last one on their way: what is sent now comes behind them. */
  async idle(): Promise<void> {
    if (this.#count > 0) {
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
    await setImmediate(); // in the turn in which it is handed trailers HTTP/2 sends what ends a connection before them
  }
}
