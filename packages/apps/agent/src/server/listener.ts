import type { Socket } from 'node:net';
import type { Server as TlsServer, TLSSocket } from 'node:tls';

import { type Server as GrpcServer, ServerCredentials as GrpcCredentials } from '@grpc/grpc-js';
import { endsOf, type EvictionReason, type HandshakeLimits, Handshakes, Port } from '@nodecore/listener';

import type { Address } from '../address.ts';
import { type ServerCredentials, tlsServer } from './credentials.ts';
import { certifiedLimits } from './limits.ts';

type Injector = ReturnType<GrpcServer['createConnectionInjector']>;

/** Who serves a connection. */
export type Door = {
  readonly server: GrpcServer;
  /** @returns false when the peer is not admitted. */
  readonly admit: (socket: TLSSocket) => boolean;
};

type Gate = { readonly tls: TlsServer; readonly door: Door; readonly injector: Injector };

/** What becomes of connections when the credentials change. */
export type Farewell =
  | 'stay'
  | {
      /** When they are told to go; at once unless given. */
      readonly after?: Promise<unknown>;
      /** How long they may finish their calls then. */
      readonly drainMs: number;
    };

export type ListenerOptions = {
  readonly limits?: HandshakeLimits;
  /** Is told of handshakes that fail, or are ended for others; the reason is a code. */
  readonly failed: (reason: string, peer: string | undefined, evicted: EvictionReason | undefined) => void;
};

/** How long a client that is not let in may take to hear of it. */
const dismissMs = 1_000;

/**
 * The node's port. It is opened once and stays open; what a new connection meets there is exchanged as a whole, so
 * that the port also listens while credentials change.
 *
 * Owns the sockets until their handshake is over; then the gRPC server owns them.
 */
export class Listener {
  readonly #port: Port;
  readonly #limits: HandshakeLimits;
  readonly #failed: ListenerOptions['failed'];
  readonly #handshakes: Handshakes;
  #gate: Gate | undefined;

  constructor({ limits = certifiedLimits.handshakes, failed }: ListenerOptions) {
    this.#limits = limits;
    this.#failed = failed;
    this.#handshakes = new Handshakes(limits, ({ remoteAddress }, reason) =>
      failed(reason, remoteAddress, reason),
    );
    this.#port = new Port((socket) => this.#accept(socket));
  }

  /** @returns where it listens: port 0 asks for a free one. */
  listen(address: Address): Promise<Address> {
    return this.#port.listen(address);
  }

  /** Handshakes that go on. */
  get handshakes(): number {
    return this.#handshakes.count;
  }

  /**
   * From now on new connections are shown these credentials and served behind this door.
   *
   * @param farewell to the existing connections.
   */
  use(credentials: ServerCredentials, door: Door, farewell: Farewell): void {
    const previous = this.#gate;
    const tls = tlsServer(credentials, this.#limits.deadlineMs);
    // One injector for all connections that stay: a later drain, or the close of the port, reaches all of them.
    const stays = farewell === 'stay' && previous?.door.server === door.server;
    // The handshake is ours, so the gRPC server gets the finished connection and asks for no TLS of its own.
    const injector = stays
      ? previous.injector
      : door.server.createConnectionInjector(GrpcCredentials.createInsecure());
    this.#follow(tls, door, injector);
    this.#gate = { tls, door, injector };
    if (farewell === 'stay') return;
    const { after, drainMs } = farewell;
    const drain = (): void => previous?.injector.drain(drainMs);
    if (after === undefined) drain();
    else void after.then(drain);
  }

  /** Takes no more connections and lets calls finish. @param closeMs how long they may go on */
  async close(closeMs: number): Promise<void> {
    const closed = this.#port.close();
    this.#handshakes.close();
    this.#gate?.injector.drain(closeMs);
    await closed;
  }

  /** Hands connections over when their handshake is finished, and closes those whose handshake fails. */
  #follow(tls: TlsServer, door: Door, injector: Injector): void {
    const late = new Map<TLSSocket, NodeJS.Timeout>();
    const forget = (socket: TLSSocket): void => {
      clearTimeout(late.get(socket));
      late.delete(socket);
    };
    const fail = (socket: TLSSocket, reason: string): void => {
      this.#failed(reason, socket.remoteAddress, undefined);
      socket.destroy();
    };
    tls.on('secureConnection', (socket: TLSSocket) => {
      forget(socket);
      const ends = endsOf(socket) ?? '';
      if (!door.admit(socket)) {
        this.#handshakes.dismissed(ends);
        dismiss(socket);
        return;
      }
      this.#handshakes.done(ends);
      injector.injectConnection(socket);
    });
    tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      const reason = error.code ?? error.message;
      if (reason !== 'ERR_TLS_HANDSHAKE_TIMEOUT') return fail(socket, reason);
      // It runs while the loop stands still, too. What the client has sent may be there, unread: it has as long again.
      late.set(
        socket,
        setTimeout(() => fail(socket, reason), this.#limits.deadlineMs),
      );
      socket.once('close', () => forget(socket));
    });
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {}); // the TLS layer reports it; before that there is nothing to report
    if (this.#gate === undefined) {
      socket.destroy();
      return;
    }
    this.#handshakes.add(socket, () => this.#gate?.tls.emit('connection', socket));
  }
}

/** Hangs up in order: what the client has sent already would make its end say that the connection broke. */
function dismiss(socket: TLSSocket): void {
  socket.on('error', () => {});
  socket.resume();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), dismissMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
