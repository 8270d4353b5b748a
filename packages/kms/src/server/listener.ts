import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import type { Server as TlsServer, TLSSocket } from 'node:tls';

import { type Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';

import type { Address } from '../address.ts';

export type ListenerParts = {
  readonly server: GrpcServer;
  readonly onHandshakeFailure: (peer: string | undefined, reason: string) => void;
};

type Injector = ReturnType<GrpcServer['createConnectionInjector']>;

/** How long running calls may take when their connections end. */
const drainMs = 5_000;
/** Connections in the TLS handshake or served, together. */
const mostConnections = 1024;

/**
 * The server's port. It is opened once and stays open; certificates are exchanged between two connections.
 *
 * Owns every socket that it accepted, and ends them all.
 */
export class Listener {
  readonly #parts: ListenerParts;
  readonly #injector: Injector;
  readonly #tcp: TcpServer;
  readonly #handshakes = new Set<Socket>();
  #tls: TlsServer | undefined;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    // The handshake is ours, so the gRPC server gets finished connections and asks for no TLS of its own.
    this.#injector = parts.server.createConnectionInjector(ServerCredentials.createInsecure());
    this.#tcp = createServer({ noDelay: true, keepAlive: true }, (socket) => this.#accept(socket));
    this.#tcp.maxConnections = mostConnections;
  }

  /** @returns where it listens: port 0 asks for a free one. */
  async listen({ host, port }: Address): Promise<Address> {
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
    tls.on('secureConnection', (socket: TLSSocket) => {
      this.#injector.injectConnection(socket);
    });
    tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      this.#parts.onHandshakeFailure(socket.remoteAddress, error.code ?? error.message);
      socket.destroy();
    });
    this.#tls = tls;
    if (!keep) this.#injector.drain(drainMs);
  }

  /** Takes no more connections, lets calls finish, for some seconds. */
  async close(): Promise<void> {
    if (this.#tcp.listening) {
      const closed = once(this.#tcp, 'close');
      this.#tcp.close();
      for (const socket of this.#handshakes) socket.destroy();
      this.#injector.drain(drainMs);
      await closed;
    }
    this.#injector.destroy();
    this.#parts.server.forceShutdown();
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {}); // the layer above reports it; before that there is nothing to report
    if (this.#tls === undefined) {
      this.#injector.injectConnection(socket);
      return;
    }
    this.#handshakes.add(socket);
    socket.once('close', () => this.#handshakes.delete(socket));
    this.#tls.emit('connection', socket);
  }
}
