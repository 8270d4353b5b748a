import type { Socket } from 'node:net';
import type { Server as TlsServer, TLSSocket } from 'node:tls';

import { type Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { endsOf, type HandshakeLimits, Handshakes, Port, type Served } from '@nodecore/listener';
import type { SocketAddress } from '@nodecore/sys';

export type ListenerParts = {
  readonly server: GrpcServer;
  /** Counts connections whose handshake is over. */
  readonly served: Served;
  readonly handshakes?: HandshakeLimits | undefined;
  /** How long running calls may take when their connections end, in milliseconds. 5000 by default. */
  readonly drainMs?: number | undefined;
  readonly onHandshakeFailure: (peer: string | undefined, reason: string) => void;
};

type Injector = ReturnType<GrpcServer['createConnectionInjector']>;

const handshakeLimits: HandshakeLimits = { max: 512, maxPerAddress: 256, maxPerTurn: 4, deadlineMs: 5_000 };

/**
 * The server's port. It is opened once and stays open; certificates are exchanged between two connections.
 *
 * Owns every socket that it accepted, and ends them all.
 */
export class Listener {
  readonly #parts: ListenerParts;
  readonly #port: Port;
  readonly #handshakes: Handshakes;
  #injector: Injector;
  #tls: TlsServer | undefined;
  #isListening = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#injector = this.#newInjector();
    this.#handshakes = new Handshakes(parts.handshakes ?? handshakeLimits, ({ remoteAddress }, reason) =>
      parts.onHandshakeFailure(remoteAddress, reason),
    );
    this.#port = new Port((socket) => this.#accept(socket));
  }

  /** @returns where it listens: port 0 asks for a free one. */
  async listen(address: SocketAddress): Promise<SocketAddress> {
    const bound = await this.#port.listen(address);
    this.#isListening = true;
    return bound;
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
      this.#handshakes.done(endsOf(socket) ?? '');
      this.#parts.served.add(socket);
      injector.injectConnection(socket);
    });
    tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      this.#parts.onHandshakeFailure(socket.remoteAddress, error.code ?? error.message);
      socket.destroy();
    });
  }

  /** Takes no more connections, lets calls finish, for some seconds. */
  async close(): Promise<void> {
    if (this.#isListening) {
      this.#isListening = false;
      const closed = this.#port.close();
      this.#handshakes.close();
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
      this.#parts.served.add(socket);
      this.#injector.injectConnection(socket);
      return;
    }
    this.#handshakes.add(socket, () => this.#tls?.emit('connection', socket));
  }
}
