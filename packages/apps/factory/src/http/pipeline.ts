import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request, and its answer. */
export type Asked = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse };

/** Far more than a client sends ahead; each that waits takes some 4 KiB. */
const maxWaiting = 256;

/**
 * What is asked on one connection. Each request begins when the answer before it has gone, and no more is read while one waits: a client
 * that sends thousands without reading has the memory of one, and the connection of who goes on regardless ends.
 */
export class Pipeline {
  readonly #begin: (asked: Asked) => void;
  readonly #socket: Duplex;
  /** In their order; the first one has begun. */
  readonly #asked: Asked[] = [];

  constructor(socket: Duplex, begin: (asked: Asked) => void) {
    this.#socket = socket;
    this.#begin = begin;
    // What lets go of a request goes on reading, whoever paused.
    socket.on('resume', () => {
      if (this.#asked.length > 1) socket.pause();
    });
  }

  /** What has no answer yet. */
  get open(): readonly Asked[] {
    return [...this.#asked];
  }

  add(asked: Asked): void {
    this.#asked.push(asked);
    asked.outgoing.once('close', () => this.#answered(asked));
    if (this.#asked.length === 1) this.#begin(asked);
    else if (this.#asked.length > maxWaiting) this.#socket.destroy();
    else this.#socket.pause();
  }

  #answered(asked: Asked): void {
    const at = this.#asked.indexOf(asked);
    if (at >= 0) this.#asked.splice(at, 1);
    const [next] = this.#asked;
    if (at !== 0 || next === undefined) return;
    if (this.#socket.destroyed) {
      this.#asked.length = 0;
      return;
    }
    // The last one may have a body that is still to come.
    if (this.#asked.length === 1) this.#socket.resume();
    this.#begin(next);
  }
}
