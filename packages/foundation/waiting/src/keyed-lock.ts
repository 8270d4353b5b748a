import { onAbort } from './on-abort.ts';

export type KeyedLockOptions = {
  /** How many may hold keys at once, whatever their keys; any number by default. */
  readonly max?: number;
};

/** Someone who wants keys, until he has given them back. */
type Claim<K> = {
  readonly keys: ReadonlySet<K>;
  /** Order of asking. */
  readonly ticket: number;
  readonly begin: () => void;
  holds: boolean;
};

/**
 * Locks by key. Each key has one holder at a time, in the order of asking. Who asks for several gets them all at once
 * and holds none while it waits, so that no two wait for each other; who came later does not overtake it.
 *
 * A key takes memory only while somebody holds it or waits for it.
 *
 * @example
 * const disks = new KeyedLock();
 * using held = await disks.take(['sda', 'sdb'], signal);
 * await copy('/dev/sda', '/dev/sdb');
 */
export class KeyedLock<K = string> {
  readonly #max: number;
  /** For each key who holds it, followed by those who wait for it. */
  readonly #queues = new Map<K, Set<Claim<K>>>();
  /** First in all of their queues: what keeps them waiting is `max`. */
  readonly #ready = new Set<Claim<K>>();
  #holders = 0;
  #tickets = 0;

  constructor({ max = Infinity }: KeyedLockOptions = {}) {
    this.#max = max;
  }

  /**
   * Waits for all of the keys.
   *
   * @returns what gives them back when it is disposed; twice is fine.
   * @throws `signal.reason` when the signal fires before the keys are there, or has fired. It ends only the wait.
   */
  async take(keys: readonly K[], signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#tickets += 1;
    const claim = { keys: new Set(keys), ticket: this.#tickets, begin: resolve, holds: false };
    this.#enter(claim);
    using _listener = onAbort(signal, (reason) => {
      if (claim.holds) return; // it came first
      this.#leave(claim);
      reject(reason);
    });
    await promise;
    return { [Symbol.dispose]: () => this.#release(claim) };
  }

  /** Runs `task` with the keys, and gives them back however it ends. See {@link take}. */
  async run<T>(keys: readonly K[], task: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    using _held = await this.take(keys, signal);
    return await task();
  }

  #enter(claim: Claim<K>): void {
    for (const key of claim.keys) {
      const queue = this.#queues.get(key);
      if (queue === undefined) this.#queues.set(key, new Set([claim]));
      else queue.add(claim);
    }
    this.#consider(claim);
    this.#admit();
  }

  #release(claim: Claim<K>): void {
    if (!claim.holds) return;
    claim.holds = false;
    this.#holders -= 1;
    this.#leave(claim);
  }

  #leave(claim: Claim<K>): void {
    this.#ready.delete(claim);
    for (const key of claim.keys) {
      const queue = this.#queues.get(key);
      queue?.delete(claim);
      if (queue?.size === 0) this.#queues.delete(key);
    }
    for (const key of claim.keys) this.#consider(this.#first(key));
    this.#admit();
  }

  #consider(claim: Claim<K> | undefined): void {
    if (claim === undefined || claim.holds) return;
    for (const key of claim.keys) if (this.#first(key) !== claim) return;
    this.#ready.add(claim);
  }

  #admit(): void {
    while (this.#holders < this.#max) {
      let next: Claim<K> | undefined;
      for (const claim of this.#ready) if (next === undefined || claim.ticket < next.ticket) next = claim;
      if (next === undefined) return;
      this.#ready.delete(next);
      this.#holders += 1;
      next.holds = true;
      next.begin();
    }
  }

  #first(key: K): Claim<K> | undefined {
    return this.#queues.get(key)?.values().next().value;
  }
}
