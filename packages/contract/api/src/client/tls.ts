import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net';
import {
  connect,
  type ConnectionOptions,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { fingerprint, matchesFingerprint } from '@nodecore/pki';
import { codeOf } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';
import { ApiError, type ApiErrorCode } from '../errors.ts';
import { earliest } from './earliest.ts';
import { formatEndpoint, type Endpoint } from './endpoint.ts';
import { feed } from './feed.ts';
import type { ConnectionFault } from './connection-fault.ts';
import { faultOf, noHttp2 } from './fault.ts';
import type { ProxyServer } from './proxy-server.ts';
import { tunnel, TunnelError } from './tunnel.ts';

/** A node that is crowded may hang up on a handshake, or have it wait. */
const attempts = 3;
/** More than an honest handshake takes across the world. */
const patienceMs = 300;

export type TlsOptions = {
  readonly endpoint: Endpoint;
  readonly context: SecureContext;
  /** Accept any certificate, or only those with one of these fingerprints. Without it the chain and the name are verified. */
  readonly unverified?: { readonly fingerprints: readonly string[] } | undefined;
  /** What the connection goes through. */
  readonly proxy?: ProxyServer | undefined;
  /** When the client's own certificate expires. */
  readonly clientExpires?: Date | undefined;
  /** Ends connections that are being made: nothing of them keeps the process. */
  readonly closed: AbortSignal;
};

/**
 * TLS to one endpoint, with a check that Node.js has no option for: a certificate that no authority signed is accepted by
 * the fingerprint of its key, and the connection is ended before a byte of a request is written when it is another one.
 * Keeps what went wrong as an error with a code.
 */
export class TlsConnector {
  readonly #options: TlsOptions;
  #failure: ApiError | undefined;
  #wasSecured = false;

  constructor(options: TlsOptions) {
    this.#options = options;
  }

  /** Why the last connection could not be made or ended in TLS; undefined while it stands. */
  get failure(): ApiError | undefined {
    return this.#failure;
  }

  /** Whether there ever was a connection. */
  get wasSecured(): boolean {
    return this.#wasSecured;
  }

  /** What is dialled: the endpoint, or the proxy that leads there. */
  get address(): Endpoint {
    return this.#options.proxy ?? this.#options.endpoint;
  }

  /** Port that is dialled. */
  get port(): number {
    return this.address.port;
  }

  /** `host:port` of the proxy; undefined where there is none. */
  get proxy(): string | undefined {
    return this.#options.proxy === undefined ? undefined : formatEndpoint(this.#options.proxy);
  }

  /**
   * A connection that is the caller's own. What comes over it goes to `onread` in place of the events of a stream. Rejects with an
   * `ApiError`, or with `signal.reason`.
   */
  dial(onread: OnReadOpts, signal: AbortSignal): Promise<TLSSocket> {
    // One at a time: they share a buffer.
    return earliest(() => this.#dial(onread, signal), {
      max: attempts,
      patienceMs: Infinity,
      mayPass,
      discard,
    });
  }

  async #dial(onread: OnReadOpts, signal: AbortSignal): Promise<TLSSocket> {
    signal.throwIfAborted();
    if (this.#options.proxy !== undefined) return await this.#dialThrough(onread, signal);
    const { port, path } = this.#options.endpoint;
    const to = { ...(path === undefined ? { port, noDelay: true } : { path }), onread };
    const tls = connect({ ...this.#tlsOptions(), ...to });
    using _listener = onAbort(signal, () => void tls.destroy());
    try {
      await this.#connected(tls);
      return await this.#secured(tls);
    } catch (error) {
      signal.throwIfAborted();
      tls.destroy();
      throw error instanceof ApiError ? error : (this.#failure ?? error);
    }
  }

  async #dialThrough(onread: OnReadOpts, signal: AbortSignal): Promise<TLSSocket> {
    const socket = connectTcp({ ...this.address, noDelay: true });
    using _listener = onAbort(signal, () => void socket.destroy());
    try {
      const over = await this.#led(socket);
      const tls = await this.#secured(connect({ ...this.#tlsOptions(), socket: over }));
      feed(tls, onread);
      return tls;
    } catch (error) {
      signal.throwIfAborted();
      socket.destroy();
      throw error;
    }
  }

  /**
   * TLS over a connection, or over another one to the same address when the node hangs up on it or is silent for long. Rejects
   * with an `ApiError`, or with what Node.js says.
   */
  secure(socket: Socket): Promise<TLSSocket> {
    const { remoteAddress: host, remotePort: port } = socket;
    const isKnown = host !== undefined && port !== undefined;
    let first: Socket | undefined = socket;
    const attempt = async (lost: AbortSignal): Promise<TLSSocket> => {
      const over = first ?? (isKnown ? connectTcp({ host, port, noDelay: true }) : socket);
      first = undefined;
      using _listener = onAbort(lost, () => void over.destroy());
      return await this.#secured(connect({ ...this.#tlsOptions(), socket: await this.#led(over) }), lost);
    };
    const max = isKnown ? attempts : 1;
    return earliest(attempt, { signal: this.#options.closed, max, patienceMs, mayPass, discard });
  }

  /** The connection, as far as the endpoint: a proxy on the way leads it on. */
  async #led(socket: Socket): Promise<Socket> {
    const { proxy, endpoint } = this.#options;
    if (proxy === undefined) return socket;
    socket.on('error', () => {}); // told below
    try {
      return await tunnel(socket, proxy, endpoint);
    } catch (cause) {
      socket.destroy();
      if (!(cause instanceof TunnelError)) throw cause;
      const words = `the proxy ${this.proxy}: ${cause.message}`;
      this.#failure = this.#errorOf('ERR_API_UNREACHABLE', words, { fault: 'proxy', cause });
      throw this.#failure;
    }
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

  async #secured(tls: TLSSocket, lost?: AbortSignal): Promise<TLSSocket> {
    // Stays for the life of the socket: in TLS 1.3 a node refuses a client certificate after our side of the handshake.
    tls.on('error', (error: NodeJS.ErrnoException) => {
      if (lost?.aborted !== true) this.#failure = this.#told(error);
    });
    using _listener = onAbort(lost, () => void tls.destroy());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    tls.once('secureConnect', resolve);
    tls.once('error', reject);
    tls.once('close', () =>
      reject(this.#errorOf('ERR_API_UNREACHABLE', 'it hung up in the TLS handshake', { fault: 'lost' })),
    );
    try {
      await promise;
      this.#check(tls);
      this.#failure = undefined;
      this.#wasSecured = true;
      tls.once('close', () => {
        // A Node.js server checks the client certificate after the handshake and hangs up without a TLS alert.
        if (tls.bytesRead === 0) this.#failure ??= this.#hungUp();
      });
      return tls;
    } catch (error) {
      // One that gives way to an earlier one says nothing of the node.
      if (error instanceof ApiError && lost?.aborted !== true) this.#failure = error;
      tls.destroy();
      throw error;
    }
  }

  async #connected(socket: TLSSocket): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (error: Error = new Error('closed')): void => reject(this.#told(error));
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
    if (tls.alpnProtocol !== 'h2') throw this.#errorOf('ERR_API_PROTOCOL', noHttp2);
  }

  /** What Node.js says of a socket, in our words: its own are for programmers, with advice about Node.js. */
  #told(error: Error): ApiError {
    const { code, words, fault } = faultOf(codeOf(error) ?? '', this.#options.endpoint.port);
    return this.#errorOf(code, fault === 'other-name' ? otherNames(error, words) : words, {
      fault,
      cause: error,
    });
  }

  /** A node that does not want the client certificate says so in this way, as does anything else that wants another. */
  #hungUp(): ApiError {
    const expired = this.#options.clientExpires;
    const isExpired = expired !== undefined && expired.getTime() < Date.now();
    const words = isExpired
      ? `it hung up after the TLS handshake: the client certificate expired on ${expired.toISOString().slice(0, 10)}`
      : 'it hung up after the TLS handshake, as it does to who has no certificate that it accepts';
    const fault = isExpired ? 'client-expired' : 'client-refused';
    return this.#errorOf('ERR_API_UNAUTHENTICATED', words, { fault });
  }

  #errorOf(
    code: ApiErrorCode,
    words: string,
    fields: { readonly fault?: ConnectionFault | undefined; readonly cause?: unknown } = {},
  ): ApiError {
    const endpoint = formatEndpoint(this.#options.endpoint);
    return new ApiError(code, `${endpoint}: ${words}`, { endpoint, ...fields });
  }
}

/** The names that the certificate is for, which the user may have meant. */
function otherNames(error: Error, words: string): string {
  const names = 'cert' in error ? (error.cert as Partial<PeerCertificate>).subjectaltname : undefined;
  return names === undefined ? words : `${words}: ${names.replaceAll(/(?:DNS|IP Address|URI):/gu, '')}`;
}

/** Nothing of a call was sent yet. */
function mayPass(error: unknown): boolean {
  return (error instanceof ApiError && error.fault === 'lost') || codeOf(error) === 'ECONNRESET';
}

function discard(tls: TLSSocket): void {
  tls.destroy();
}
