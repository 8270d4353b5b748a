import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, Server } from 'node:net';

import { ended, tetheredCommand } from '@nodecore/sys';

import { LanError } from './errors.ts';
import type { FromInside, ToInside } from './messages.ts';
import type { Namespace } from './namespace.ts';
import { ownProgram } from './own-program.ts';
import type { Door, SocketAddress } from './spec.ts';
import { spliceTo } from './splice.ts';

/** Without `id`, which {@link Doors} gives. */
type Request = ToInside extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never;

/**
 * The ways between the host and a network. A socket belongs to the namespace that it was made in; a listening one is
 * handed to the process on the other side, which accepts there and connects in its own.
 */
export class Doors {
  readonly #child: ChildProcess;
  readonly #outlets: Server[] = [];
  readonly #pending = new Map<number, PromiseWithResolvers<Server | undefined>>();
  #next = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: FromInside, handle: unknown) => {
      if (message.kind === 'ready') return;
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.kind === 'failed') pending?.reject(new LanError('ERR_LAN_INSIDE', message.error));
      else pending?.resolve(handle instanceof Server ? handle : undefined);
    });
    child.once('exit', () => this.#lost());
  }

  /** Starts the process inside; it ends with this one. @throws {LanError} `ERR_LAN_INSIDE` */
  static async open(namespace: Namespace): Promise<Doors> {
    const { argv, env } = ownProgram('inside-main');
    // In the namespace first: what is in it ends with it, also when this process is killed right now.
    const [file, ...words] = tetheredCommand(namespace.inside(argv));
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    const child = spawn(file, words, { stdio: [...stdio], env, detached: true });
    const failed = once(child, 'exit').then(() => {
      throw new LanError('ERR_LAN_INSIDE', `the process in ${namespace.name} ended at once`);
    });
    failed.catch(() => {});
    await Promise.race([once(child, 'message'), failed]);
    return new Doors(child);
  }

  /** Opens a way in. @throws {Error} with the code `EADDRINUSE` */
  async door({ listen, target, protocol }: Door): Promise<void> {
    const socket = protocol === 'udp' ? await bound(listen) : await listening(listen);
    try {
      await this.#ask({ kind: 'door', target }, socket);
    } finally {
      socket.close();
    }
  }

  /** Opens a way out. @throws {LanError} `ERR_LAN_INSIDE` when the port is taken inside. */
  async outlet(listen: SocketAddress, target: SocketAddress): Promise<void> {
    spliceTo(await this.listen(listen), target);
  }

  /** Divides what comes to an address inside among others there. @throws {LanError} `ERR_LAN_INSIDE` when the port is taken. */
  async balance(listen: SocketAddress, targets: readonly SocketAddress[]): Promise<void> {
    await this.#ask({ kind: 'balancer', listen, targets });
  }

  /** A server of this process that listens inside. @throws {LanError} `ERR_LAN_INSIDE` when the port is taken there. */
  async listen(listen: SocketAddress): Promise<Server> {
    const server = await this.#ask({ kind: 'outlet', listen });
    if (server === undefined) throw new LanError('ERR_LAN_INSIDE', 'an outlet came without its socket');
    this.#outlets.push(server);
    return server;
  }

  /** Resolves when the process inside is gone. */
  async lost(): Promise<void> {
    await ended(this.#child);
  }

  /** Closes all of them. */
  async close(): Promise<void> {
    for (const server of this.#outlets) server.close();
    this.#child.kill('SIGKILL');
    await ended(this.#child);
  }

  async #ask(request: Request, handle?: Server | Socket): Promise<Server | undefined> {
    const id = this.#next++;
    const pending = Promise.withResolvers<Server | undefined>();
    this.#pending.set(id, pending);
    this.#child.send({ ...request, id }, handle, {}, (error) => {
      if (error !== null) pending.reject(new LanError('ERR_LAN_INSIDE', error.message, { cause: error }));
    });
    return await pending.promise;
  }

  #lost(): void {
    for (const { reject } of this.#pending.values())
      reject(new LanError('ERR_LAN_INSIDE', 'the process in the namespace ended'));
    this.#pending.clear();
  }
}

async function listening({ address, port }: SocketAddress): Promise<Server> {
  const server = createServer();
  server.listen({ host: address, port });
  await once(server, 'listening');
  return server;
}

async function bound({ address, port }: SocketAddress): Promise<Socket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  socket.bind({ address, port, exclusive: true });
  await once(socket, 'listening');
  return socket;
}
