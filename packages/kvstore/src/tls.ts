import type { Socket, TcpNetConnectOpts } from 'node:net';
import { isIP } from 'node:net';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';

import type { Secret } from '@nodecore/sys';

import type { Endpoint } from './endpoint.ts';
import { KvstoreError } from './errors.ts';

/** Whom we trust, and who we are. */
export type KvstoreTls = {
  /** PEM of the authority that signed the members' certificates. */
  readonly ca: string;
  /** PEM of our client certificate. */
  readonly certificate: string;
  /** PEM of its private key. Read once, and not kept. */
  readonly key: Secret;
};

/** @throws {KvstoreError} `ERR_KVSTORE_CERTIFICATE` */
export function secureContext({ ca, certificate, key }: KvstoreTls): SecureContext {
  try {
    return createSecureContext({ ca, cert: certificate, key: key.bytes });
  } catch (error) {
    // Without the cause: OpenSSL's error object may describe the key's bytes.
    const reason = error instanceof Error && 'reason' in error ? ` (${String(error.reason)})` : '';
    throw new KvstoreError(
      'ERR_KVSTORE_CERTIFICATE',
      'client certificate',
      `can't be used with its key${reason}`,
    );
  }
}

/** A connection of TLS, over one that there is or to the endpoint itself. {@link secured} is for its handshake. */
export function secureSocket(
  endpoint: Endpoint,
  context: SecureContext,
  over: { readonly socket: Socket } | TcpNetConnectOpts,
): TLSSocket {
  return connect({
    ...over,
    secureContext: context,
    host: endpoint.host, // what the certificate must name
    ...(isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}), // RFC 6066: no addresses in the server name
    ALPNProtocols: ['h2'],
  });
}

/** Resolves when the connection is secret and who is at its other end is checked. Destroys it when that fails. */
export async function secured(
  endpoint: Endpoint,
  tls: TLSSocket,
  onFailure: (error: KvstoreError) => void = () => {},
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: KvstoreError): void => {
    onFailure(error);
    reject(error);
  };
  // Stays for the life of the socket: in TLS 1.3 our certificate is refused after our side of the handshake.
  tls.on('error', (error: NodeJS.ErrnoException) => fail(tlsError(endpoint, error)));
  tls.once('secureConnect', resolve);
  tls.once('close', () => {
    reject(new KvstoreError('ERR_KVSTORE_UNREACHABLE', endpoint.text, 'closed in the TLS handshake'));
  });
  try {
    await promise;
    if (tls.alpnProtocol !== 'h2') {
      const error = new KvstoreError('ERR_KVSTORE_PROTOCOL', endpoint.text, 'no HTTP/2 there');
      onFailure(error);
      throw error;
    }
    return tls;
  } catch (error) {
    tls.destroy();
    throw error;
  }
}

/** What a failure of a connection means. Codes: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
export function tlsError({ text }: Endpoint, cause: NodeJS.ErrnoException): KvstoreError {
  const code = cause.code ?? '';
  const reason = 'reason' in cause && typeof cause.reason === 'string' ? cause.reason : cause.message;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return new KvstoreError('ERR_KVSTORE_PROTOCOL', text, 'no TLS there; is it http?', { cause });
  if (code.startsWith('ERR_SSL_') && code.includes('_ALERT_')) {
    const words = `it does not accept our certificate (${reason})`;
    return new KvstoreError('ERR_KVSTORE_CERTIFICATE', text, words, { cause });
  }
  if (cause.syscall !== undefined || code === 'ECONNRESET' || code === 'EPIPE')
    return new KvstoreError('ERR_KVSTORE_UNREACHABLE', text, cause.message, { cause });
  const words = verifyWords[code] ?? 'is not signed by the authority we trust';
  return new KvstoreError('ERR_KVSTORE_CERTIFICATE', text, `its certificate ${words} (${reason})`, { cause });
}

const verifyWords: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired, or the clock is wrong',
  CERT_NOT_YET_VALID: 'is not valid yet, or the clock is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
};
