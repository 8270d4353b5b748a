import { isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import { ApiError, type ApiErrorCode } from '../errors.ts';
import { fingerprint, matchesFingerprint } from '../pki-fingerprint.ts';
import { formatEndpoint, type Endpoint } from './endpoint.ts';

export type TlsOptions = {
  readonly endpoint: Endpoint;
  readonly context: SecureContext;
  /** Accept any certificate, or only those with one of these fingerprints. Without it the chain and the name are verified. */
  readonly unverified?: { readonly fingerprints: readonly string[] } | undefined;
};

/**
 * TLS to one endpoint, with a check that Node.js has no option for: a certificate that no authority signed is accepted by
 * the fingerprint of its key, and the connection is ended before a byte of a request is written when it is another one.
 * Keeps what went wrong as an error with a code.
 */
export class TlsConnector {
  readonly #options: TlsOptions;
  #failure: ApiError | undefined;

  constructor(options: TlsOptions) {
    this.#options = options;
  }

  /** Why the last connection could not be made or ended in TLS; undefined while it stands. */
  get failure(): ApiError | undefined {
    return this.#failure;
  }

  /**
   * A connection that is the caller's own. What comes over it goes to `onread` in place of the events of a stream. Rejects with an
   * `ApiError`, or with `signal.reason`.
   */
  async dial(onread: OnReadOpts, signal: AbortSignal): Promise<TLSSocket> {
    signal.throwIfAborted();
    const to = { port: this.#options.endpoint.port, noDelay: true, onread };
    const tls = connect({ ...this.#tlsOptions(), ...to });
    const abort = (): void => void tls.destroy();
    signal.addEventListener('abort', abort);
    try {
      await this.#connected(tls);
      return await this.#secured(tls);
    } catch (error) {
      signal.throwIfAborted();
      tls.destroy();
      throw error instanceof ApiError ? error : (this.#failure ?? error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** TLS over a connection. Rejects with an `ApiError`, or with what Node.js says. */
  secure(socket: Socket): Promise<TLSSocket> {
    return this.#secured(connect({ ...this.#tlsOptions(), socket }));
  }

  #tlsOptions(): ConnectionOptions {
    const { endpoint, context, unverified } = this.#options;
    return {
      secureContext: context,
      host: endpoint.host, // what the certificate must name
      ...(isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}), // RFC 6066: no addresses in the server name
      ALPNProtocols: ['h2'],
      rejectUnauthorized: unverified === undefined,
    };
  }

  async #secured(tls: TLSSocket): Promise<TLSSocket> {
    // Stays for the life of the socket: in TLS 1.3 a node refuses a client certificate after our side of the handshake.
    tls.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure = this.#errorOf(codeOfTls(error), reasonOf(error), error);
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    tls.once('secureConnect', resolve);
    tls.once('error', reject);
    tls.once('close', () =>
      reject(this.#errorOf('ERR_API_UNREACHABLE', 'connection closed in the TLS handshake')),
    );
    try {
      await promise;
      this.#check(tls);
      this.#failure = undefined;
      tls.once('close', () => {
        // A Node.js server checks the client certificate after the handshake and hangs up without a TLS alert.
        if (tls.bytesRead === 0)
          this.#failure ??= this.#errorOf('ERR_API_UNAUTHENTICATED', 'hung up after the TLS handshake');
      });
      return tls;
    } catch (error) {
      if (error instanceof ApiError) this.#failure = error;
      tls.destroy();
      throw error;
    }
  }

  async #connected(socket: TLSSocket): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (error?: Error): void => {
      // In grpc-js's words: it makes the other connections.
      const words = `No connection established. Last error: ${error === undefined ? 'closed' : String(error)}.`;
      reject(this.#errorOf('ERR_API_UNREACHABLE', words, error));
    };
    socket
      .once('connect', resolve)
      .once('error', fail)
      .once('close', () => fail());
    await promise;
    socket.off('error', fail);
  }

  #check(tls: TLSSocket): void {
    const expected = this.#options.unverified?.fingerprints ?? [];
    const certificate = tls.getPeerX509Certificate();
    if (expected.length > 0 && (certificate === undefined || !matchesFingerprint(certificate, expected))) {
      const actual = certificate === undefined ? 'none' : fingerprint(certificate);
      throw this.#errorOf('ERR_API_FINGERPRINT', `the certificate has another fingerprint: ${actual}`);
    }
    if (tls.alpnProtocol !== 'h2') throw this.#errorOf('ERR_API_PROTOCOL', 'no HTTP/2 there');
  }

  #errorOf(code: ApiErrorCode, message: string, cause?: unknown): ApiError {
    const endpoint = formatEndpoint(this.#options.endpoint);
    return new ApiError(code, `${endpoint}: ${message}`, { endpoint, cause });
  }
}

/** What a failure of TLS means, by the code Node.js gives it: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
function codeOfTls(error: NodeJS.ErrnoException): ApiErrorCode {
  const code = error.code ?? '';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return 'ERR_API_PROTOCOL';
  if (code.startsWith('ERR_SSL_') && code.includes('_ALERT_')) return 'ERR_API_UNAUTHENTICATED';
  if (error.syscall !== undefined || code === 'ECONNRESET' || code === 'EPIPE') return 'ERR_API_UNREACHABLE';
  return 'ERR_API_UNTRUSTED';
}

/** OpenSSL's errors have a reason for people beside the message with its source lines. */
function reasonOf(error: Error): string {
  return 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
}
