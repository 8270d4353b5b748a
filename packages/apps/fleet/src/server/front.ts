import { createServer, type Server, type TLSSocket } from 'node:tls';

import type { Secret, SocketAddress } from '@nodecore/sys';

import { FleetError } from '../errors.ts';
import type { Log } from '../log.ts';

/** Who takes a connection, by what its client speaks. */
export type Protocols = {
  /** Protocols with a name of their own. They come before all others. */
  readonly named: Readonly<Record<string, (socket: TLSSocket) => void>>;
  /** HTTP/2 and nothing else: gRPC. */
  readonly grpc: (socket: TLSSocket) => void;
  /** HTTP/1.1, or no word about it: browsers, which offer both. */
  readonly http: (socket: TLSSocket) => void;
};

export type FrontOptions = {
  readonly listen: SocketAddress;
  /** PEM chain and key. */
  readonly crt: string;
  readonly key: Secret;
  /** Authorities whose client certificates are asked for, PEM: browsers that have none of theirs ask their users nothing. */
  readonly clientAuthority: string;
  readonly protocols: Protocols;
  readonly log: Log;
};

const handshakeMs = 10_000;
const web = 'http/1.1';

/**
 * The one port. TLS 1.3, then what the client speaks: a protocol of ours by its name, gRPC where only HTTP/2 is offered, and web
 * pages where HTTP/1.1 is offered too, as browsers do. A client certificate is asked for and never verified here: whoever needs
 * one looks at it.
 */
export class Front implements AsyncDisposable {
  readonly #server: Server;
  readonly #open = new Set<TLSSocket>();

  private constructor(options: FrontOptions) {
    const { crt, key, clientAuthority, protocols, log } = options;
    const names = Object.keys(protocols.named);
    this.#server = createServer({
      cert: crt,
      key: key.bytes,
      ca: clientAuthority,
      minVersion: 'TLSv1.3',
      handshakeTimeout: handshakeMs,
      requestCert: true,
      rejectUnauthorized: false,
      ALPNCallback: ({ protocols: offered }) =>
        names.find((name) => offered.includes(name)) ?? [web, 'h2'].find((name) => offered.includes(name)),
    });
    this.#server.on('secureConnection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      socket.on('error', (error) => log.debug({ err: error }, 'connection failed'));
      socket.setNoDelay(true);
      socket.setKeepAlive(true, 15_000);
      const spoken = socket.alpnProtocol;
      if (typeof spoken === 'string' && Object.hasOwn(protocols.named, spoken))
        protocols.named[spoken]!(socket);
      else if (spoken === 'h2') protocols.grpc(socket);
      else protocols.http(socket);
    });
    this.#server.on('tlsClientError', (error) => log.debug({ err: error }, 'handshake failed'));
  }

  /** @throws {FleetError} `ERR_FLEET_SETUP` when the address can't be listened on. */
  static async listen(options: FrontOptions): Promise<Front> {
    const front = new Front(options);
    const { host, port } = options.listen;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    front.#server.once('error', reject).listen({ host, port }, resolve);
    try {
      await promise;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new FleetError('ERR_FLEET_SETUP', `--listen ${host}:${port}: ${code ?? 'it can not be used'}`);
    }
    return front;
  }

  /** Where it listens, with the port that was free when 0 was asked for. */
  get address(): SocketAddress {
    const { address, port } = this.#server.address() as { address: string; port: number };
    return { host: address, port };
  }

  /** Takes no connections any more; those that are open go on. */
  stop(): void {
    this.#server.close();
  }

  /** Ends the connections that are left. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const socket of this.#open) socket.destroy();
    await promise;
  }
}
