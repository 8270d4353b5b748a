type Waiting = { readonly disks: readonly string[]; readonly begin: () => void };

/**
 * Who may work on which disks. One at a time for each disk, in the order of asking; who needs several gets them all at once, so
 * that nobody waits for somebody who waits for him.
 */
export class Turns {
  readonly #most: number;
  readonly #held = new Set<string>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  /** @param most how many work at once, whatever their disks: each holds a thread of the pool that all I/O shares. */
  constructor(most = 2) {
    this.#most = most;
  }

  /** Waits for a turn; the caller disposes it to end it. The signal ends only the wait. */
  async take(disks: readonly string[], signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { disks: [...new Set(disks)], begin: resolve };
    const abort = (): void => {
      const index = this.#waiting.indexOf(waiting);
      if (index !== -1) this.#waiting.splice(index, 1);
      reject(signal?.reason);
      this.#admit(); // who waited behind may go now
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.push(waiting);
    this.#admit();
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
    let ended = false;
    return {
      [Symbol.dispose]: () => {
        if (ended) return;
        ended = true;
        this.#running -= 1;
        for (const disk of waiting.disks) this.#held.delete(disk);
        this.#admit();
      },
    };
  }

  #admit(): void {
    const wantedBefore = new Set<string>();
    for (const waiting of this.#waiting.slice()) {
      if (this.#running >= this.#most) return;
      const isFree = waiting.disks.every((disk) => !this.#held.has(disk) && !wantedBefore.has(disk));
      if (isFree) this.#begin(waiting);
      else for (const disk of waiting.disks) wantedBefore.add(disk);
    }
  }

  #begin(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    this.#running += 1;
    for (const disk of waiting.disks) this.#held.add(disk);
    waiting.begin();
  }
}
