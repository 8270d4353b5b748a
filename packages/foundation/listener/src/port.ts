import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { duplicate, type SocketAddress } from '@nodecore/sys';

/** Connections that are taken in one turn of the loop, at most. */
const maxPerTurn = 32;
/** Connections that wait in the kernel: the client of one more is silent for a second. The kernel may have a lower limit. */
const backlog = 4096;

/**
 * A listening socket whose queue is emptied fast. libuv accepts one connection of a listener in each turn of the loop, so that
 * behind a crowd everybody waits in the kernel for as many turns, in the order of coming, with no say of ours. So the one socket
 * is listened on by several descriptors.
 */
export class Port {
  readonly #accept: (socket: Socket) => void;
  readonly #servers: Server[] = [];

  /** @param accept owns the socket. */
  constructor(accept: (socket: Socket) => void) {
    this.#accept = accept;
  }

  /** @returns where it listens: port 0 asks for a free one. Rejects with the error of the bind. */
  async listen({ host, port }: SocketAddress): Promise<SocketAddress> {
    const first = await this.#listen({ host, port });
    const fd = descriptorOf(first);
    try {
      while (this.#servers.length < maxPerTurn) await this.#listen({ fd: await duplicate(fd) });
    } catch (error) {
      await this.close();
      throw error;
    }
    const { address, port: bound } = first.address() as AddressInfo;
    return { host: address, port: bound };
  }

  /** Takes no more connections; those that are there are their owner's. Twice is fine. */
  async close(): Promise<void> {
    const closed = this.#servers.splice(0).map(async (server) => {
      const end = once(server, 'close'); // it waits for its connections
      server.close();
      await end;
    });
    await Promise.all(closed);
  }

  async #listen(
    where: { readonly host: string; readonly port: number } | { readonly fd: number },
  ): Promise<Server> {
    const server = createServer({ noDelay: true, keepAlive: true }, this.#accept);
    // For a descriptor Node.js looks at the second argument alone; each listen(2) sets the queue of the one socket anew.
    server.listen({ ...where, backlog }, backlog);
    await once(server, 'listening');
    this.#servers.push(server);
    return server;
  }
}

/** Node.js shows it nowhere else. */
function descriptorOf(server: Server): number {
  const { fd } = (server as unknown as { readonly _handle: { readonly fd: number } })._handle;
  return fd;
}
