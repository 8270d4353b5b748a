import type { RequestListener, Server } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { createServer } from '@nodecore/sys/http';

/** Who sends no request within this time after the handshake has no place here. */
const firstRequestMs = 20_000;
/** Who says nothing and is told nothing for this long. A stream of events says every 15 s that it is there. */
const idleMs = 60_000;

/**
 * HTTP/1.1 on connections that somebody else accepts and ends. Node.js looks after slow requests only where it listens itself, so the
 * limits of a connection are set here.
 */
export class WebServer {
  readonly #server: Server;
  readonly #firstRequestMs: number;
  readonly #waiting = new Map<object, NodeJS.Timeout>();

  constructor(listener: RequestListener, limits: { readonly firstRequestMs?: number } = {}) {
    this.#server = createServer((request, response) => {
      this.#came(request.socket);
      listener(request, response);
    });
    this.#server.timeout = idleMs;
    this.#firstRequestMs = limits.firstRequestMs ?? firstRequestMs;
  }

  /** Answers the requests of a connection. */
  accept(socket: TLSSocket): void {
    this.#waiting.set(
      socket,
      setTimeout(() => socket.destroy(), this.#firstRequestMs),
    );
    socket.once('close', () => this.#came(socket));
    this.#server.emit('connection', socket);
  }

  #came(socket: object): void {
    clearTimeout(this.#waiting.get(socket));
    this.#waiting.delete(socket);
  }
}
