import type { Socket } from 'node:net';

import { CallTimer, type Ends, endsOf, Served } from '@nodecore/listener';

import type { RemoteLimits } from './limits.ts';

/**
 * Connections whose handshake is over. Anybody gets one, so those that have not shown the token are few, the newest stay, and none does
 * for long; one that has shown it ends for no other.
 */
export class Callers {
  readonly #limits: Pick<RemoteLimits, 'strangers' | 'callers'>;
  readonly #strangers: Served;
  /** By both ends. */
  readonly #known = new Map<string, Socket>();

  constructor(limits: Pick<RemoteLimits, 'strangers' | 'callers'>) {
    this.#limits = limits;
    this.#strangers = new Served(limits.strangers);
  }

  /** Counts it until it is closed. */
  add(socket: Socket): void {
    const late = new CallTimer();
    late.setTwice(this.#limits.strangers.tokenMs, () => this.#strangers.end(socket));
    socket.once('close', () => late.clear());
    this.#strangers.add(socket);
  }

  /** The token has come on it. @returns false when too many others have shown it. */
  admit(connection: Ends): boolean {
    const ends = endsOf(connection);
    if (ends === undefined || this.#known.has(ends)) return true; // a socket of this computer has none
    if (this.#known.size >= this.#limits.callers) return false;
    const socket = this.#strangers.release(connection);
    if (socket === undefined) return true; // it has just ended
    this.#known.set(ends, socket);
    socket.once('close', () => {
      if (this.#known.get(ends) === socket) this.#known.delete(ends);
    });
    return true;
  }
}
