import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { TLSSocket } from 'node:tls';

import type { Connection } from './connection.ts';
import { KmsError } from './errors.ts';
import { connectionError, hungUp } from './failure.ts';

const perhapsTls = 'perhaps it speaks TLS, which grpc:// is not';

/** Watches a connection, and says what happened when a call on it ends without a status. */
export class Loss {
  readonly #session: ClientHttp2Session;
  readonly #connection: Connection;
  #failure: NodeJS.ErrnoException | undefined;
  #spoke = false;
  #saidGoodbye = false;

  constructor(session: ClientHttp2Session, connection: Connection) {
    this.#session = session;
    this.#connection = connection;
    connection.socket.on('error', (error) => this.note(error));
    session.on('error', (error) => this.note(error));
    session.once('goaway', () => {
      this.#saidGoodbye = true;
    });
    session.once('remoteSettings', () => {
      this.#spoke = true;
    });
  }

  /** The first error is the cause, the others follow from it. A stream's own error is in its reset code. */
  note(error: NodeJS.ErrnoException): void {
    if (error.code !== 'ERR_HTTP2_STREAM_ERROR') this.#failure ??= error;
  }

  of({ rstCode }: ClientHttp2Stream): KmsError {
    const { endpoint, socket } = this.#connection;
    const failure = this.#failure;
    // A server that ends in order says GOAWAY, and then whatever it likes.
    if (this.#saidGoodbye)
      return this.#error('ERR_KMS_UNREACHABLE', 'it is ending, and takes no more calls on this connection');
    const isReset = failure === undefined || failure.code === 'ECONNRESET' || failure.code === 'EPIPE';
    if (!this.#spoke && isReset) {
      // A Node.js server checks our certificate after the handshake and hangs up without an alert.
      if (socket instanceof TLSSocket) return hungUp(endpoint);
      if (socket.bytesRead === 0)
        return this.#error('ERR_KMS_UNREACHABLE', `it hung up at once; ${perhapsTls}`);
      return this.#error('ERR_KMS_ANSWER', `no HTTP/2 there; ${perhapsTls}`);
    }
    if (failure !== undefined) return connectionError(endpoint, socket, failure);
    if (rstCode === constants.NGHTTP2_REFUSED_STREAM || rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM)
      return this.#error('ERR_KMS_BUSY', 'it takes no more calls');
    if (this.#session.destroyed)
      return this.#error('ERR_KMS_UNREACHABLE', 'connection lost before the answer');
    return this.#error('ERR_KMS_FAILED', `it gave the call up (HTTP/2 error ${rstCode})`);
  }

  #error(
    code: 'ERR_KMS_ANSWER' | 'ERR_KMS_BUSY' | 'ERR_KMS_FAILED' | 'ERR_KMS_UNREACHABLE',
    message: string,
  ): KmsError {
    return new KmsError(code, this.#connection.endpoint.text, message);
  }
}
