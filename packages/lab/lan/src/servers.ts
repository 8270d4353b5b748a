import { once } from 'node:events';
import { Server, type Socket } from 'node:net';

/** Servers, and the connections that came to them, which all end with this. */
export class Servers implements AsyncDisposable {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** Takes a server that listens. Who listens for its connections does so from now on. */
  add(server: Server): Server {
    this.#servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    return server;
  }

  /** Resolves when their ports are free. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.#servers
      .splice(0)
      .filter((server) => server.listening)
      .map(async (server) => {
        server.close();
        await once(server, 'close');
      });
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }
}
