/** At most one timer at a time; it keeps no process alive. */
export class CallTimer {
  #timer: NodeJS.Timeout | undefined;

  set(ms: number, act: () => void): void {
    this.clear();
    if (ms !== Infinity) this.#timer = setTimeout(act, ms).unref();
  }

  /** A timer may run because the loop stood still, before what came meanwhile is read: the client has as long again. */
  setTwice(ms: number, act: () => void): void {
    this.set(ms, () => this.set(ms, act));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
