/** At most one timer at a time; it keeps no process alive. */
export class CallTimer {
  #timer: NodeJS.Timeout | undefined;

  set(ms: number, act: () => void): void {
    this.clear();
    if (ms !== Infinity) this.#timer = setTimeout(act, ms).unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
