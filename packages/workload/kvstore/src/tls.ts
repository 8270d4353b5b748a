import type { Socket, TcpNetConnectOpts } from 'node:net';
import { isIP } from 'node:net';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';

import { codeOf, type Secret } from '@nodecore/sys';

import type { Endpoint } from './endpoint.ts';
import { isKvstoreError, KvstoreError } from './errors.ts';
import { speaks } from './spoken.ts';

/** Whom we trust, and who we are. */
export type KvstoreTls = {
  /** PEM of the authority that signed the members' certificates. */
  readonly ca: string;
  /** PEM of our client certificate; without it, where members ask for none. Together with its key. */
  readonly certificate?: string | undefined;
  /** PEM of its private key. Read once, and not kept. */
  readonly key?: Secret | undefined;
};

/** @throws {KvstoreError} `ERR_KVSTORE_CERTIFICATE` */
export function secureContext({ ca, certificate, key }: KvstoreTls): SecureContext {
  if ((certificate === undefined) !== (key === undefined))
    throw new KvstoreError(
      'ERR_KVSTORE_CERTIFICATE',
      'client certificate',
      'goes with its key: give both, or neither',
    );
  try {
    return createSecureContext({
      ca,
      ...(certificate !== undefined && { cert: certificate, key: key!.bytes }),
    });
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
    await promise.catch(async (error: unknown) => {
      // A server of plain text ends it, or answers what it takes for a request.
      const isOurs = isKvstoreError(error, 'ERR_KVSTORE_UNREACHABLE');
      const cause = isOurs ? codeOf(error.cause) : 'none';
      const isBroken = cause === undefined || cause === 'ECONNRESET' || cause === 'EPIPE';
      if (!isBroken || (await speaks(endpoint)) !== 'plain') throw error;
      const plain = plainThere(endpoint, error);
      onFailure(plain);
      throw plain;
    });
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
export function tlsError(endpoint: Endpoint, cause: NodeJS.ErrnoException): KvstoreError {
  const { text } = endpoint;
  const code = cause.code ?? '';
  const reason = 'reason' in cause && typeof cause.reason === 'string' ? cause.reason : cause.message;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return plainThere(endpoint, cause);
  const alert = alertOf(cause);
  if (alert !== undefined) {
    if (certificateAlert.test(alert)) return certificateRefused(endpoint, alert, cause);
    return new KvstoreError('ERR_KVSTORE_PROTOCOL', text, `it ended the TLS connection (${reason})`, {
      cause,
    });
  }
  if (cause.syscall !== undefined || code === 'ECONNRESET' || code === 'EPIPE')
    return new KvstoreError('ERR_KVSTORE_UNREACHABLE', text, cause.message, { cause });
  const words = verifyWords[code] ?? 'is not signed by the authority we trust';
  return new KvstoreError('ERR_KVSTORE_CERTIFICATE', text, `its certificate ${words} (${reason})`, { cause });
}

/**
 * An error for a connection whose other end has refused our certificate: in TLS 1.3 it says so after our side of the handshake,
 * when we ask already. Undefined for what is nothing of the kind.
 */
export function lateRefusal(endpoint: Endpoint, cause: unknown): KvstoreError | undefined {
  const alert = alertOf(cause);
  return alert !== undefined && certificateAlert.test(alert)
    ? certificateRefused(endpoint, alert, cause)
    : undefined;
}

/** What OpenSSL calls an alert of the other end, such as `SSLV3_ALERT_BAD_CERTIFICATE`. */
function alertOf(cause: unknown): string | undefined {
  const code = codeOf(cause) ?? '';
  return code.startsWith('ERR_SSL_') && code.includes('_ALERT_') ? code : undefined;
}

/** Alerts about who we are (RFC 8446, 6.2); what doesn't fit the certificate's key among them. */
const certificateAlert =
  /_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR|HANDSHAKE_FAILURE)/;

function certificateRefused({ text }: Endpoint, alert: string, cause: unknown): KvstoreError {
  const isMissing = alert.endsWith('CERTIFICATE_REQUIRED');
  const reason = cause instanceof Error && 'reason' in cause ? String(cause.reason) : alert;
  const words = isMissing
    ? 'it asks for a client certificate; give one that its authority signed'
    : `it does not accept our certificate (${reason}); is it expired, or of another authority?`;
  return new KvstoreError('ERR_KVSTORE_CERTIFICATE', text, words, { cause });
}

function plainThere({ text }: Endpoint, cause?: unknown): KvstoreError {
  const words = `no TLS there: it speaks plain text; write ${text.replace('https:', 'http:')}, if it is to`;
  return new KvstoreError('ERR_KVSTORE_PROTOCOL', text, words, { cause });
}

/** For an endpoint of plain text that could not be talked to. */
export function tlsThere({ text }: Endpoint): KvstoreError {
  const words = `it speaks TLS; write ${text.replace('http:', 'https:')}, and give its authority`;
  return new KvstoreError('ERR_KVSTORE_PROTOCOL', text, words);
}

const verifyWords: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired, or the clock is wrong',
  CERT_NOT_YET_VALID: 'is not valid yet, or the clock is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
};
