import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { codeOf, duplicate, type SocketAddress } from '@nodecore/sys';

/** Connections that one socket takes in one turn of the loop, at most. */
const maxPerTurn = 32;
/** Connections that wait in the kernel: the client of one more is silent for a second. The kernel may have a lower limit. */
const backlog = 4096;
/** Every address of this machine, of both families. */
const everyHost = '::';
/** How often a port is chosen that both families have free. */
const maxChoices = 16;

type Listening =
  | { readonly host: string; readonly port: number; readonly ipv6Only?: boolean }
  | { readonly fd: number };

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

  /**
   * At `::` each family has a socket of its own: one that takes both shows peers of IPv4 by addresses of IPv6, which are in no list and
   * no certificate. A kernel without IPv6 listens at 0.0.0.0 then.
   *
   * @returns where it listens: port 0 asks for a free one. Rejects with the error of the bind, and listens nowhere then.
   */
  async listen({ host, port }: SocketAddress): Promise<SocketAddress> {
    try {
      return await (host === everyHost ? this.#everywhere(port) : this.#at({ host, port }));
    } catch (error) {
      await this.close();
      throw error;
    }
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

  async #everywhere(port: number): Promise<SocketAddress> {
    for (let choices = 1; ; choices += 1) {
      const six = await this.#at({ host: everyHost, port, ipv6Only: true }).catch((error: unknown) => {
        if (codeOf(error) !== 'EAFNOSUPPORT') throw error;
      });
      try {
        const four = await this.#at({ host: '0.0.0.0', port: six?.port ?? port });
        return six ?? four;
      } catch (error) {
        // The kernel chose one that is free in IPv6 alone.
        if (port !== 0 || codeOf(error) !== 'EADDRINUSE' || choices === maxChoices) throw error;
        await this.close();
      }
    }
  }

  async #at(where: {
    readonly host: string;
    readonly port: number;
    readonly ipv6Only?: boolean;
  }): Promise<SocketAddress> {
    const first = await this.#listen(where);
    const fd = descriptorOf(first);
    for (let more = 1; more < maxPerTurn; more += 1) await this.#listen({ fd: await duplicate(fd) });
    const { address, port } = first.address() as AddressInfo;
    return { host: address, port };
  }

  async #listen(where: Listening): Promise<Server> {
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
