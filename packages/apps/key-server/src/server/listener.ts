import type { SocketAddress } from '@nodecore/sys';

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import type { Server as TlsServer, TLSSocket } from 'node:tls';

import { type Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';

export type ListenerParts = {
  readonly server: GrpcServer;
  /** How long running calls may take when their connections end, in milliseconds. 5000 by default. */
  readonly drainMs?: number | undefined;
  readonly onHandshakeFailure: (peer: string | undefined, reason: string) => void;
};

type Injector = ReturnType<GrpcServer['createConnectionInjector']>;

/** Connections in the TLS handshake or served, together. */
const maxConnections = 1024;

/**
 * The server's port. It is opened once and stays open; certificates are exchanged between two connections.
 *
 * Owns every socket that it accepted, and ends them all.
 */
export class Listener {
  readonly #parts: ListenerParts;
  readonly #tcp: TcpServer;
  readonly #handshakes = new Map<string, Socket>();
  #injector: Injector;
  #tls: TlsServer | undefined;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#injector = this.#newInjector();
    this.#tcp = createServer({ noDelay: true, keepAlive: true }, (socket) => this.#accept(socket));
    this.#tcp.maxConnections = maxConnections;
  }

  /** @returns where it listens: port 0 asks for a free one. */
  async listen({ host, port }: SocketAddress): Promise<SocketAddress> {
    this.#tcp.listen(port, host);
    await once(this.#tcp, 'listening'); // rejects with the error of the bind
    const { address, port: bound } = this.#tcp.address() as AddressInfo;
    return { host: address, port: bound };
  }

  /**
   * From now on new connections meet these certificates.
   *
   * @param keep connections that stand would be let in again; otherwise they end with their calls.
   */
  use(tls: TlsServer, keep: boolean): void {
    const isFirst = this.#tls === undefined;
    this.#tls = tls;
    if (!keep && !isFirst) {
      // The end comes to every connection of an injector, those that are made meanwhile too: they get another one.
      this.#drain(this.#injector);
      this.#injector = this.#newInjector();
    }
    const injector = this.#injector; // not the next one, for a handshake that began with these certificates
    tls.on('secureConnection', (socket: TLSSocket) => {
      this.#handshakes.delete(nameOf(socket));
      injector.injectConnection(socket);
    });
    tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      this.#parts.onHandshakeFailure(socket.remoteAddress, error.code ?? error.message);
      socket.destroy();
    });
  }

  /** Takes no more connections, lets calls finish, for some seconds. */
  async close(): Promise<void> {
    if (this.#tcp.listening) {
      const closed = once(this.#tcp, 'close');
      this.#tcp.close();
      for (const socket of this.#handshakes.values()) socket.destroy();
      this.#drain(this.#injector);
      await closed;
    }
    this.#parts.server.forceShutdown();
  }

  /** The handshake is ours, so the gRPC server gets finished connections and asks for no TLS of its own. */
  #newInjector(): Injector {
    return this.#parts.server.createConnectionInjector(ServerCredentials.createInsecure());
  }

  #drain(injector: Injector): void {
    injector.drain(this.#parts.drainMs ?? 5_000);
    injector.destroy();
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {}); // the layer above reports it; before that there is nothing to report
    if (this.#tls === undefined) {
      this.#injector.injectConnection(socket);
      return;
    }
    const name = nameOf(socket);
    this.#handshakes.set(name, socket);
    socket.once('close', () => this.#handshakes.delete(name));
    this.#tls.emit('connection', socket);
  }
}

/** Of a connection, the same before and after its handshake. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
