import type { Duplex } from 'node:stream';
import type { Server as TlsServer, TLSSocket } from 'node:tls';

import { type Server as GrpcServer, ServerCredentials as GrpcCredentials } from '@grpc/grpc-js';

import { type ServerCredentials, tlsServer } from './credentials.ts';

type Injector = ReturnType<GrpcServer['createConnectionInjector']>;

type Gate = { readonly tls: TlsServer; readonly injector: Injector };

export type LinkGateParts = {
  readonly server: GrpcServer;
  /** @returns false when the peer is not admitted. */
  readonly admit: (socket: TLSSocket) => boolean;
  readonly failed: (reason: string, peer: string) => void;
  readonly handshakeMs: number;
};

/** In the log and for the budgets of connections: the link has no addresses of its own. */
const peer = 'fleet-link';

/**
 * Serves the node API on streams of the fleet's link. That a stream comes by the link opens nothing: TLS begins anew in it, and its
 * client needs a certificate, before the first configuration of the fleet's authority, after it of the configuration's.
 */
export class LinkGate {
  readonly #parts: LinkGateParts;
  #injector: Injector;
  #gate: Gate | undefined;
  /** Of the time before the first configuration: whom to let in may be known later. */
  #waiting: Pick<ServerCredentials, 'crt' | 'key'> | undefined;
  #fleetAuthority: string | undefined;
  #count = 0;

  constructor(parts: LinkGateParts) {
    this.#parts = parts;
    this.#injector = this.#newInjector();
  }

  /**
   * From now on streams are shown these credentials.
   *
   * @param after when connections of before are to end; they stay without it.
   */
  use({ crt, key, clientAuthorities }: ServerCredentials, after?: Promise<unknown>): void {
    this.#forget();
    if (after !== undefined) {
      const previous = this.#injector;
      this.#injector = this.#newInjector();
      void after.then(() => previous.drain(closeMs));
    }
    if (clientAuthorities === undefined) this.#waiting = { crt, key: key.clone() };
    this.#open({ crt, key }, clientAuthorities);
  }

  /** Before the first configuration, whose client certificates are good on the link; PEM. */
  trust(authority: string | undefined): void {
    this.#fleetAuthority = authority;
    if (this.#waiting !== undefined) this.#open(this.#waiting, undefined);
  }

  /** A stream to the node API, which owns it from now on. */
  inject(stream: Duplex): void {
    stream.on('error', () => {}); // TLS reports it
    if (this.#gate === undefined) stream.destroy();
    else this.#gate.tls.emit('connection', stream);
  }

  /** Takes no more streams and lets calls finish. */
  close(): void {
    this.#forget();
    this.#gate = undefined;
    this.#injector.drain(closeMs);
  }

  #open(
    { crt, key }: Pick<ServerCredentials, 'crt' | 'key'>,
    configured: readonly string[] | undefined,
  ): void {
    const authorities = configured ?? (this.#fleetAuthority === undefined ? [] : [this.#fleetAuthority]);
    this.#gate = undefined;
    if (authorities.length === 0) return; // OpenSSL would ask public authorities
    const tls = tlsServer({ crt, key, clientAuthorities: authorities }, this.#parts.handshakeMs);
    const gate = { tls, injector: this.#injector };
    tls.on('secureConnection', (socket: TLSSocket) => this.#enter(gate, socket));
    tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      this.#parts.failed(error.code ?? error.message, peer);
      socket.destroy();
    });
    this.#gate = gate;
  }

  #enter({ injector }: Gate, socket: TLSSocket): void {
    socket.on('error', () => {});
    this.#count += 1;
    // Connections are told apart by their ends.
    const ends = { localAddress: peer, localPort: 0, remoteAddress: peer, remotePort: this.#count };
    for (const [name, value] of Object.entries(ends)) Object.defineProperty(socket, name, { value });
    if (this.#parts.admit(socket)) injector.injectConnection(socket);
    else socket.destroy();
  }

  #newInjector(): Injector {
    return this.#parts.server.createConnectionInjector(GrpcCredentials.createInsecure());
  }

  #forget(): void {
    this.#waiting?.key[Symbol.dispose]();
    this.#waiting = undefined;
  }
}

/** How long calls may go on when their connection is to end. */
const closeMs = 10_000;
