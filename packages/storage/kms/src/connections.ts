import type { Endpoint } from '@nodecore/kms-endpoint';
import type { Line } from './line.ts';
import type { PeerOptions } from './peer-options.ts';

/** Long enough for the next volume that is unlocked, short enough for a path that is lost without a word. */
const defaultIdleMs = 10_000;

export type ConnectionsOptions = {
  /** How long a connection that no call uses stays open. Default 10 000. It keeps no program from ending. */
  readonly idleMs?: number | undefined;
};

/**
 * Connections to key servers that later calls use again, and calls at the same time share: one for each endpoint, with the same
 * roots, identity and server name. Owns them; {@link Connections.close} ends them.
 */
export class Connections implements AsyncDisposable {
  readonly #idleMs: number;
  /** Also those that take no more calls, until they are closed. */
  readonly #lines = new Set<Line>();
  #closed: Promise<void> | undefined;

  constructor({ idleMs = defaultIdleMs }: ConnectionsOptions = {}) {
    this.#idleMs = idleMs;
  }

  /** Whether they are closed, or about to be. */
  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /**
   * What a call of this package is made on, and leaves when it is over.
   *
   * @param open begins a connection. Passed in, so that nothing is loaded before the first call.
   */
  enter(
    endpoint: Endpoint,
    options: PeerOptions,
    open: (endpoint: Endpoint, options: PeerOptions, idleMs: number) => Line,
  ): Line {
    if (this.isClosed) throw new TypeError('connections used after they were closed');
    void options.identity?.key.bytes; // throws when it was wiped: who we are no longer is not used again
    for (const line of this.#lines) if (line.isFor(endpoint, options)) return line.enter();
    const line = open(endpoint, options, this.#idleMs);
    this.#lines.add(line);
    void line.ended.then(() => this.#lines.delete(line));
    return line.enter();
  }

  /** Takes no more calls, and closes every connection when its last call is over. Twice is fine. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const lines = [...this.#lines];
    for (const line of lines) line.retire();
    await Promise.all(lines.map(({ ended }) => ended));
  }
}
