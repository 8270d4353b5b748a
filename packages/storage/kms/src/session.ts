import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { isIPv6 } from 'node:net';

import { Secret } from '@nodecore/sys';

import type { Connection } from './connection.ts';
import type { Endpoint } from '@nodecore/kms-endpoint';
import { KmsError } from './errors.ts';
import { Loss } from './loss.ts';

/** HTTP/2 on a connection, which it owns: any number of calls, one after another or at once. */
export class Session {
  readonly endpoint: Endpoint;
  readonly loss: Loss;
  /** Resolves when the connection is gone, ended from either side. */
  readonly closed: Promise<void>;
  readonly #connection: Connection;
  readonly #http2: ClientHttp2Session;

  constructor(connection: Connection) {
    const { endpoint, socket } = connection;
    if (socket.destroyed)
      throw new KmsError('ERR_KMS_UNREACHABLE', endpoint.text, 'closed after the handshake');
    this.endpoint = endpoint;
    this.#connection = connection;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    this.#http2 = connectHttp2(`${endpoint.tls ? 'https' : 'http'}://localhost`, {
      createConnection: () => socket,
      settings: { enablePush: false },
    });
    this.loss = new Loss(this.#http2, connection);
  }

  /** Not after a GOAWAY, and not after its end. */
  get isUsable(): boolean {
    return !this.#http2.closed && !this.#http2.destroyed && !this.#connection.socket.destroyed;
  }

  /** Begins a call. @throws {KmsError} when the connection takes none any more. */
  request(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    if (!this.isUsable) throw this.loss.of(undefined);
    return this.#http2.request({ ':method': 'POST', ':authority': authorityOf(this.endpoint), ...headers });
  }

  /** Keeps the program from ending. */
  ref(): void {
    if (this.isUsable) this.#http2.ref();
  }

  unref(): void {
    if (this.isUsable) this.#http2.unref();
  }

  /** Ends the connection with whatever runs on it; `closed` follows. Twice is fine. */
  close(): void {
    this.#http2.destroy();
    this.#connection.socket.destroy();
    void this.closed.then(() => Secret.wipeTraces());
  }
}

function authorityOf({ host, port }: Endpoint): string {
  return isIPv6(host) ? `[${host.replace(/%.*$/, '')}]:${port}` : `${host}:${port}`;
}
