import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import type { Server as TlsServer, TLSSocket } from 'node:tls';

import { type Server as GrpcServer, ServerCredentials as GrpcCredentials } from '@grpc/grpc-js';

import type { Log } from '../log.ts';
import { type ServerCredentials, tlsServer } from './credentials.ts';

export type Address = { readonly host: string; readonly port: number };

type Injector = ReturnType<GrpcServer['createConnectionInjector']>;
type Gate = { readonly tls: TlsServer; readonly server: GrpcServer; readonly injector: Injector };

/** What becomes of connections when the credentials change. */
export type Farewell =
  | 'stay'
  | {
      /** When they are told to go; at once unless given. */
      readonly after?: Promise<unknown>;
      /** How long they may finish their calls then. */
      readonly drainMs: number;
    };

/** How long calls may go on when the listener closes. */
const closeMs = 10_000;
/** Connections in the TLS handshake or served, together. */
const mostConnections = 512;

/**
 * The node's port. It is opened once and stays open; what a new connection meets there is exchanged as a whole, so
 * that credentials change without a moment in which nobody listens.
 *
 * Owns the sockets until their handshake is over; then the gRPC server owns them.
 */
export class Listener {
  readonly #tcp: TcpServer;
  readonly #log: Log;
  readonly #handshakeMs: number;
  #gate: Gate | undefined;

  /** @param handshakeMs longer is no client of ours; it would hold a connection without having shown a certificate. */
  constructor(log: Log, { handshakeMs = 10_000 }: { readonly handshakeMs?: number } = {}) {
    this.#log = log;
    this.#handshakeMs = handshakeMs;
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
   * From now on new connections are shown these credentials and served by this server.
   *
   * @param farewell to the existing connections.
   */
  use(credentials: ServerCredentials, server: GrpcServer, farewell: Farewell): void {
    const previous = this.#gate;
    const tls = tlsServer(credentials, this.#handshakeMs);
    // One injector for all connections that stay: whoever is shown out later, or hears of the end, are all of them.
    const stays = farewell === 'stay' && previous?.server === server;
    // The handshake is ours, so the gRPC server gets the finished connection and asks for no TLS of its own.
    const injector = stays
      ? previous.injector
      : server.createConnectionInjector(GrpcCredentials.createInsecure());
    this.#follow(tls, injector);
    this.#gate = { tls, server, injector };
    if (farewell === 'stay') return;
    const { after, drainMs } = farewell;
    const drain = (): void => previous?.injector.drain(drainMs);
    if (after === undefined) drain();
    else void after.then(drain);
  }

  /** Takes no more connections and lets calls finish. */
  async close(): Promise<void> {
    const closed = once(this.#tcp, 'close');
    this.#tcp.close();
    this.#gate?.injector.drain(closeMs);
    await closed;
  }

  /** Hands over who has finished the handshake, and hangs up on who does not. */
  #follow(tls: TlsServer, injector: Injector): void {
    const late = new Map<TLSSocket, NodeJS.Timeout>();
    const forget = (socket: TLSSocket): void => {
      clearTimeout(late.get(socket));
      late.delete(socket);
    };
    const fail = (socket: TLSSocket, reason: string): void => {
      this.#log.info({ peer: socket.remoteAddress, reason }, 'handshake failed');
      socket.destroy();
    };
    tls.on('secureConnection', (socket: TLSSocket) => {
      forget(socket);
      injector.injectConnection(socket);
    });
    tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      const reason = error.code ?? error.message;
      if (reason !== 'ERR_TLS_HANDSHAKE_TIMEOUT') return fail(socket, reason);
      // It runs while the loop stands still, too. What the client has sent may be there, unread: it has as long again.
      late.set(
        socket,
        setTimeout(() => fail(socket, reason), this.#handshakeMs),
      );
      socket.once('close', () => forget(socket));
    });
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {}); // the TLS layer reports it; before that there is nothing to report
    if (this.#gate === undefined) socket.destroy();
    else this.#gate.tls.emit('connection', socket);
  }
}
