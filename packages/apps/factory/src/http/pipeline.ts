import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request, and its answer. */
export type Asked = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse };

/** Far more than a client sends ahead; each that waits takes some 4 KiB. */
const maxWaiting = 256;

/**
 * What is asked on one connection. Each request begins when the answer before it has gone, so that a client that sends hundreds without
 * reading has the memory of one answer; the connection of who sends more ends. Reading goes on meanwhile: who is gone is noticed, and of
 * a body that waits no more is taken than fits its buffer. Nothing begins behind an answer that ends the connection: what looks like a
 * request there may be something else.
 */
export class Pipeline {
  readonly #begin: (asked: Asked) => void;
  readonly #socket: Duplex;
  /** In their order; the first one has begun. */
  readonly #asked: Asked[] = [];

  constructor(socket: Duplex, begin: (asked: Asked) => void) {
    this.#socket = socket;
    this.#begin = begin;
  }

  /** What has no answer yet. */
  get open(): readonly Asked[] {
    return [...this.#asked];
  }

  add(asked: Asked): void {
    if (this.#isOver) return;
    this.#asked.push(asked);
    asked.outgoing.once('close', () => this.#answered(asked));
    if (this.#asked.length === 1) this.#begin(asked);
    else if (this.#asked.length > maxWaiting) this.#socket.destroy();
  }

  get #isOver(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  #answered(asked: Asked): void {
    const at = this.#asked.indexOf(asked);
    if (at >= 0) this.#asked.splice(at, 1);
    if (this.#isOver) this.#asked.length = 0;
    const [next] = this.#asked;
    if (at === 0 && next !== undefined) this.#begin(next);
  }
}
