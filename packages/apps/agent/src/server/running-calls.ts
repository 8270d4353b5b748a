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

  /** Resolves when there are none, with the answer of the last one on its way. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }
}
