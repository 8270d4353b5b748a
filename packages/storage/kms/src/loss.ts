import { type ClientHttp2Session, constants } from 'node:http2';
import { TLSSocket } from 'node:tls';

import type { Connection } from './connection.ts';
import { KmsError } from './errors.ts';
import { connectionError, hungUp } from './failure.ts';

const perhapsTls = 'perhaps it speaks TLS, which grpc:// is not';

/** Watches a connection for its whole life, and says what happened when a call on it ends without a status. */
export class Loss {
  readonly #session: ClientHttp2Session;
  readonly #connection: Connection;
  #failure: NodeJS.ErrnoException | undefined;
  #spoke = false;
  #saidGoodbye = false;

  constructor(session: ClientHttp2Session, connection: Connection) {
    this.#session = session;
    this.#connection = connection;
    connection.socket.on('error', (error) => this.#note(error));
    session.on('error', (error) => this.#note(error));
    session.once('goaway', () => {
      this.#saidGoodbye = true;
    });
    session.once('remoteSettings', () => {
      this.#spoke = true;
    });
  }

  /** @param own the error of the call's stream, which says nothing of other calls. */
  of(rstCode: number | undefined, own?: NodeJS.ErrnoException): KmsError {
    const { endpoint, socket } = this.#connection;
    // What a reset stream says of itself is in its code.
    const failure = this.#failure ?? (own?.code === 'ERR_HTTP2_STREAM_ERROR' ? undefined : own);
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

  /** The first error is the cause, the others follow from it. */
  #note(error: NodeJS.ErrnoException): void {
    this.#failure ??= error;
  }

  #error(
    code: 'ERR_KMS_ANSWER' | 'ERR_KMS_BUSY' | 'ERR_KMS_FAILED' | 'ERR_KMS_UNREACHABLE',
    message: string,
  ): KmsError {
    return new KmsError(code, this.#connection.endpoint.text, message);
  }
}
