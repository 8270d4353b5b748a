import { abortable } from '@nodecore/waiting';

/** What work may know of those who wait for it. */
export type Askers = {
  /** Fires when none is left. */
  readonly gone: AbortSignal;
  /** From now on it goes on, whoever is left. */
  readonly keep: () => void;
};

/** Work that is done once for all who wait for it, and that may end when nobody does any more. */
export class SharedWork<T> {
  readonly #gone = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;
  #isKept = false;
  #state: 'going' | 'done' | 'failed' = 'going';

  /** @param work ends, or keeps on, when all are gone who wait for it. */
  constructor(work: (askers: Askers) => Promise<T>) {
    this.#result = work({ gone: this.#gone.signal, keep: () => void (this.#isKept = true) });
    this.#result.then(
      () => (this.#state = 'done'),
      () => (this.#state = 'failed'),
    );
  }

  get isGoing(): boolean {
    return this.#state === 'going';
  }

  /** Whether nothing comes of it: it has failed, or all have left who waited. */
  get isVain(): boolean {
    return this.#state === 'failed' || this.#gone.signal.aborted;
  }

  /** Resolves when it has ended, in whatever way. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#result]);
  }

  /** @param signal ends the waiting of who gives it. */
  async wait(signal?: AbortSignal): Promise<T> {
    this.#waiting += 1;
    try {
      return await abortable(this.#result, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isKept && this.isGoing) this.#gone.abort();
    }
  }
}
