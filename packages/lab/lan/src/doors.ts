import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

import { listenIn } from '@nodecore/native/netns';

import { Balancer } from './balancer.ts';
import { type Dial, dialHere, dialInside } from './dial.ts';
import { LanError } from './errors.ts';
import type { Namespace } from './namespace.ts';
import { Servers } from './servers.ts';
import type { Door, SocketAddress } from './spec.ts';
import { spliceTo } from './splice.ts';

/**
 * The ways between the host and a network. A socket belongs to the namespace that it was made in, whoever uses it: this process has some
 * of both, and they are gone with it, however it ends.
 */
export class Doors implements AsyncDisposable {
  readonly #namespace: Namespace;
  readonly #dialInside: Dial;
  readonly #servers = new Servers();
  readonly #others: Disposable[] = [];

  constructor(namespace: Namespace) {
    this.#namespace = namespace;
    this.#dialInside = dialInside(namespace);
  }

  /** Opens a way in. @throws {Error} with the code `EADDRINUSE` */
  async door({ listen, target, protocol }: Door): Promise<void> {
    if (protocol === 'udp') {
      const { openDatagramDoor } = await import('./datagram-door.ts'); // few networks have one
      this.#others.push(await openDatagramDoor(listen, target, this.#namespace));
    } else spliceTo(this.#servers.add(await listening(listen)), target, this.#dialInside);
  }

  /** Opens a way out. @throws {LanError} `ERR_LAN_INSIDE` when the port is taken inside. */
  async outlet(listen: SocketAddress, target: SocketAddress): Promise<void> {
    spliceTo(await this.listen(listen), target, dialHere);
  }

  /** Divides what comes to an address inside among others there. @throws {LanError} `ERR_LAN_INSIDE` when the port is taken. */
  async balance(listen: SocketAddress, targets: readonly SocketAddress[]): Promise<void> {
    const balancer = new Balancer(targets, this.#dialInside);
    this.#others.push(balancer);
    balancer.serve(await this.listen(listen));
  }

  /** A server that listens inside. @throws {LanError} `ERR_LAN_INSIDE` when the port is taken there. */
  async listen(listen: SocketAddress): Promise<Server> {
    const fd = await listenIn(this.#namespace.files(), listen).catch((error: unknown) => {
      const words = `${listen.address} port ${listen.port} in ${this.#namespace.name}`;
      const said = error instanceof Error ? error.message : String(error);
      throw new LanError('ERR_LAN_INSIDE', `${words} can't be listened at: ${said}`, { cause: error });
    });
    return this.#servers.add(await adopted(fd));
  }

  /** Closes all of them, with what goes through. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#others.splice(0)) each[Symbol.dispose]();
    await this.#servers[Symbol.asyncDispose]();
  }
}

async function adopted(fd: number): Promise<Server> {
  const server = createServer();
  server.listen({ fd });
  await once(server, 'listening');
  return server;
}

async function listening({ address, port }: SocketAddress): Promise<Server> {
  const server = createServer();
  server.listen({ host: address, port });
  await once(server, 'listening');
  return server;
}
