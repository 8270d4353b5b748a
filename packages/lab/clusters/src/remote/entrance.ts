import { once } from 'node:events';
import { chmod, lstat, unlink } from 'node:fs/promises';
import { lookup } from 'node:dns/promises';
import { connect, createServer, isIP, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';

import { type Endpoint, formatEndpoint } from '@nodecore/api';
import { endsOf, Handshakes, Port } from '@nodecore/listener';
import { codeOf } from '@nodecore/sys';

import type { Callers } from './callers.ts';
import type { RemoteCredentials } from './credentials.ts';
import type { RemoteLimits } from './limits.ts';

/** Where a server for clusters listens: at a port, or at a socket for who serves and root alone. */
export type RemoteListen = { readonly host: string; readonly port: number } | { readonly path: string };

export type EntranceParts = {
  readonly credentials: Pick<RemoteCredentials, 'crt' | 'key'>;
  readonly limits: RemoteLimits;
  /** Counts connections whose handshake is over. */
  readonly callers: Callers;
  /** Owns the connections that it is given. */
  readonly serve: (socket: Socket) => void;
};

/** How long a client that was told the end may take to hear of it. */
const lingerMs = 1_000;

/** Where connections come in, and have their TLS handshake. Owns their sockets until that is over. */
export class Entrance {
  readonly #parts: EntranceParts;
  readonly #tls: TlsServer;
  readonly #handshakes: Handshakes;
  /** One for each address. */
  readonly #ports: Port[] = [];
  /** Of this computer. */
  #local: Server | undefined;
  /** Those that were given away, and those of this computer. */
  readonly #open = new Set<Socket>();

  /** @throws {Error} of OpenSSL for a certificate or key that is none. */
  constructor(parts: EntranceParts) {
    const { credentials, limits } = parts;
    this.#parts = parts;
    this.#tls = createTlsServer({
      cert: credentials.crt,
      key: credentials.key.bytes,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['h2'],
      handshakeTimeout: 2 * limits.handshakes.deadlineMs, // the loop may have stood still for one
    });
    this.#tls.on('secureConnection', (socket) => this.#serve(socket));
    this.#tls.on('tlsClientError', (_error, socket) => socket.destroy());
    this.#handshakes = new Handshakes(limits.handshakes, () => {});
  }

  /**
   * At all addresses of a name that this computer has.
   *
   * @returns the endpoint. Rejects with the error of the system for what can't be listened at.
   */
  async listen(listen: RemoteListen): Promise<string> {
    if ('path' in listen) return await this.#listenAt(listen.path);
    const { host } = listen;
    const found = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
    let { port } = listen;
    let failure: unknown;
    for (const { address } of found) {
      const own = this.#newPort();
      try {
        ({ port } = await own.listen({ host: address, port }));
        this.#ports.push(own);
      } catch (error) {
        failure ??= error;
        // A name may have an address of IPv6 where no card has one.
        if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error) ?? '')) continue;
        await Promise.all(this.#ports.splice(0).map((each) => each.close()));
        throw error;
      }
    }
    if (this.#ports.length === 0) throw failure;
    return formatEndpoint({ ...listen, port });
  }

  #newPort(): Port {
    return new Port((socket) => {
      socket.on('error', () => {}); // TLS tells of it
      this.#handshakes.add(socket, () => this.#tls.emit('connection', socket));
    });
  }

  /** Takes no more connections. Those that it has given away have a moment to end. */
  async close(): Promise<void> {
    const closed: Promise<unknown>[] = this.#ports.map((port) => port.close());
    this.#handshakes.close();
    if (this.#local !== undefined) {
      closed.push(once(this.#local, 'close'));
      this.#local.close();
    }
    const timer = setTimeout(() => {
      for (const socket of this.#open) socket.destroy();
    }, lingerMs);
    await Promise.all(closed);
    clearTimeout(timer);
  }

  /** Who may open it is who could end this process: such connections are not counted. */
  async #listenAt(path: string): Promise<string> {
    await removeDead(path);
    this.#local = createServer((socket) => {
      this.#keep(socket);
      this.#tls.emit('connection', socket);
    });
    this.#local.listen({ path });
    await once(this.#local, 'listening');
    // Nobody else has the token; that they can't even ask costs them the chance to keep it busy.
    await chmod(path, 0o600);
    const endpoint: Endpoint = { host: 'localhost', port: 0, path };
    return formatEndpoint(endpoint);
  }

  #serve(socket: Socket): void {
    this.#handshakes.done(endsOf(socket) ?? '');
    this.#keep(socket);
    this.#parts.callers.add(socket);
    this.#parts.serve(socket);
  }

  #keep(socket: Socket): void {
    socket.on('error', () => {}); // HTTP/2 does not listen for those of a client that speaks something else
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }
}

/** A server that was killed leaves its socket. One that answers, and whatever is no socket, stays. */
async function removeDead(path: string): Promise<void> {
  try {
    if (!(await lstat(path)).isSocket()) return;
    const socket = connect(path);
    try {
      await once(socket, 'connect');
    } finally {
      socket.destroy();
    }
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED') await unlink(path);
    else if (codeOf(error) !== 'ENOENT') throw error;
  }
}
