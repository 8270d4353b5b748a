import { onAbort } from '@nodecore/waiting';

import { currentClient } from './client.ts';
import { FactoryError } from './errors.ts';

/** Told to who is refused: half a minute is what a queue needs to be another one. */
const retryAfterSeconds = 30;

/** Work that waits; `begin` gives it its turn, `refuse` takes its place. */
type Waiting = { readonly begin: () => void; readonly refuse: (reason: unknown) => void };

/**
 * Work that takes a processor: some at once, some waiting, and above that refused. Clients have their turns one after the other, each for
 * what it has asked for first. In a queue that is full, who has the most there makes room for who has less.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  /** By client, in the order in which they have their turns. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #running = 0;

  constructor(options: { readonly atOnce: number; readonly maxWaiting: number }) {
    this.#atOnce = options.atOnce;
    this.#maxWaiting = options.maxWaiting;
  }

  /**
   * Who has asked is {@link currentClient}.
   *
   * @param signal ends the wait for a turn, at once; work that has begun is not interrupted by it.
   * @throws {FactoryError} with `ERR_FACTORY_OVERLOADED` when too much waits already.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return;
    }
    const client = currentClient();
    if (this.#size >= this.#maxWaiting) this.#makeRoom(client);
    const { promise, resolve: begin, reject: refuse } = Promise.withResolvers<void>();
    const waiting = { begin, refuse };
    using _gone = onAbort(signal, (reason) => {
      // Who was just given a turn has it, and does nothing with it.
      if (this.#remove(client, waiting)) refuse(reason);
    });
    const theirs = this.#waiting.get(client);
    if (theirs === undefined) this.#waiting.set(client, new Set([waiting]));
    else theirs.add(waiting);
    await promise;
  }

  get #size(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** @throws {FactoryError} when nobody has more there than this client would. */
  #makeRoom(client: string): void {
    const wanted = (this.#waiting.get(client)?.size ?? 0) + 1;
    const [greedy, most] = [...this.#waiting].reduce((left, right) =>
      right[1].size > left[1].size ? right : left,
    );
    const last = [...most].at(-1);
    if (last === undefined || most.size <= wanted) throw overloaded();
    this.#remove(greedy, last);
    last.refuse(overloaded());
  }

  #remove(client: string, waiting: Waiting): boolean {
    const theirs = this.#waiting.get(client);
    const wasThere = theirs?.delete(waiting) ?? false;
    if (theirs?.size === 0) this.#waiting.delete(client);
    return wasThere;
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [client, theirs] = first;
    const [waiting] = theirs;
    theirs.delete(waiting!);
    this.#waiting.delete(client);
    if (theirs.size > 0) this.#waiting.set(client, theirs); // behind all others
    waiting!.begin();
  }
}

function overloaded(): FactoryError {
  return new FactoryError(
    'ERR_FACTORY_OVERLOADED',
    `too much waits to be made: try again in ${retryAfterSeconds} s`,
    { headers: { 'retry-after': `${retryAfterSeconds}` } },
  );
}
