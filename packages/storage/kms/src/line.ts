import { isDeepStrictEqual } from 'node:util';

import { connect } from './connection.ts';
import type { Deadline, Progress } from './deadline.ts';
import type { Endpoint } from '@nodecore/kms-endpoint';
import { abortable } from '@nodecore/waiting';
import type { PeerOptions } from './peer-options.ts';
import { Session } from './session.ts';

/**
 * One connection and the calls on it: made once for all who wait for it, given up when none of them waits any more, and closed
 * when no call has used it for a while. A line that is retired takes no more calls; those that it has go on.
 */
export class Line {
  readonly #endpoint: Endpoint;
  readonly #options: PeerOptions;
  readonly #idleMs: number;
  readonly #progress: Progress = { stage: 'connecting' };
  readonly #givenUp = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #opening: Promise<Session>;
  #session: Session | undefined;
  #calls = 0;
  #isRetired = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(endpoint: Endpoint, { roots, identity, serverName }: PeerOptions, idleMs: number) {
    this.#endpoint = endpoint;
    this.#options = { roots, identity, serverName };
    this.#idleMs = idleMs;
    this.#opening = this.#open();
    this.#opening.catch(() => {}); // perhaps nobody waits any more
  }

  /** Resolves when nothing is left of the connection. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether the connection stands, as opposed to being made. */
  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /** Whether the connection stood, and is closed or about to be. */
  get isLost(): boolean {
    return this.#session?.isUsable === false;
  }

  /** Whether a call may use it: nobody may speak as somebody else, or trust whom another caller trusts. */
  isFor(endpoint: Endpoint, { roots = [], identity, serverName }: PeerOptions): boolean {
    const own = this.#options;
    return (
      !this.#isRetired &&
      !this.isLost &&
      isDeepStrictEqual(endpoint, this.#endpoint) &&
      isDeepStrictEqual(roots, own.roots ?? []) &&
      identity?.certificate === own.identity?.certificate &&
      identity?.key === own.identity?.key &&
      serverName === own.serverName
    );
  }

  /** Begins a call, which {@link Line.leave leaves} at its end. */
  enter(): this {
    this.#calls += 1;
    clearTimeout(this.#idle);
    this.#session?.ref();
    return this;
  }

  leave(): void {
    this.#calls -= 1;
    this.#rest();
  }

  /** From now on no call begins on it. */
  retire(): void {
    this.#isRetired = true;
    this.#rest();
  }

  /** Waits for the connection as long as a call has time. */
  async session(deadline: Deadline): Promise<Session> {
    const { signal } = deadline;
    deadline.progress = this.#progress;
    signal.throwIfAborted();
    return await abortable(this.#opening, signal);
  }

  async #open(): Promise<Session> {
    const { signal } = this.#givenUp;
    try {
      const connection = await connect(this.#endpoint, this.#options, { signal, progress: this.#progress });
      const session = new Session(connection);
      void session.closed.then(() => this.#end());
      this.#session = session;
      this.#rest(); // given up at the last moment
      return session;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  #rest(): void {
    if (this.#calls > 0) return;
    clearTimeout(this.#idle);
    if (this.#session === undefined) {
      this.#isRetired = true;
      this.#givenUp.abort();
    } else if (this.#isRetired || this.isLost) this.#session.close();
    else {
      this.#session.unref();
      this.#idle = setTimeout(() => this.retire(), this.#idleMs).unref();
    }
  }

  #end(): void {
    this.#isRetired = true;
    clearTimeout(this.#idle);
    this.#ended.resolve();
  }
}
