import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import type { Endpoint } from '@nodecore/kms-endpoint';
import { type CertificateReason, KmsError, type KmsErrorCode } from './errors.ts';

/** What a failure of a socket means. Codes: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
export function connectionError({ text }: Endpoint, socket: Socket, cause: NodeJS.ErrnoException): KmsError {
  const code = cause.code ?? '';
  if (socket instanceof TLSSocket && Boolean(socket.authorizationError)) {
    const reason = verifyReasons[code] ?? 'untrusted';
    const message = `its certificate ${verifyWords[reason]} (${cause.message})`;
    return new KmsError('ERR_KMS_CERTIFICATE', text, message, { cause, reason });
  }
  if (isRefusal(code)) {
    const message = `it does not accept our certificate, or wants one (${reasonOf(cause)})`;
    return new KmsError('ERR_KMS_CERTIFICATE', text, message, { cause, reason: 'refused' });
  }
  if (cause.syscall !== undefined || code === 'EPIPE' || code === 'ECONNRESET')
    return new KmsError('ERR_KMS_UNREACHABLE', text, cause.message || code, { cause });
  if (cause instanceof AggregateError)
    // one for each address that was tried
    return new KmsError('ERR_KMS_UNREACHABLE', text, `${code} at every address`, { cause });
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return new KmsError('ERR_KMS_ANSWER', text, 'no TLS there', { cause });
  if (tooOld.test(code)) return new KmsError('ERR_KMS_ANSWER', text, 'it has no TLS 1.2 or newer', { cause });
  if (code === 'ERR_HTTP2_SESSION_ERROR')
    // it said goodbye
    return new KmsError('ERR_KMS_UNREACHABLE', text, cause.message, { cause });
  if (code.startsWith('ERR_HTTP2_') || code.endsWith('_NO_APPLICATION_PROTOCOL'))
    return new KmsError('ERR_KMS_ANSWER', text, `no HTTP/2 there (${reasonOf(cause)})`, { cause });
  return new KmsError('ERR_KMS_FAILED', text, reasonOf(cause), { cause });
}

/**
 * The server hung up without a word after a handshake that was fine for us: a balancer with nobody behind it, a server that begins
 * anew, or one of Node.js that does not know our authority. Only an alert says that it is our certificate.
 */
export function hungUp({ text }: Endpoint): KmsError {
  const message =
    'it hung up after the TLS handshake; perhaps nobody is behind it, or it does not accept our certificate';
  return new KmsError('ERR_KMS_UNREACHABLE', text, message);
}

/** What a gRPC status other than OK means, by its number: https://grpc.io/docs/guides/status-codes/ */
export function statusError({ text }: Endpoint, number: number, message: string): KmsError {
  const [status, code] = statuses[number] ?? [`status ${number}`, 'ERR_KMS_FAILED'];
  return new KmsError(code, text, message === '' ? status : `${message} (${status})`, { status });
}

const verifyReasons: Readonly<Record<string, 'expired' | 'not-yet-valid' | 'host'>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'host',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'host',
};

const verifyWords: Readonly<Record<Exclude<CertificateReason, 'refused' | 'unusable'>, string>> = {
  expired: 'is no longer valid, or the clock is wrong',
  'not-yet-valid': 'is not valid yet, or the clock is wrong',
  host: 'is for another host',
  untrusted: 'is not trusted',
};

/** What OpenSSL says of a version that it does not take, and what a server says that does not take ours. */
const tooOld = /^ERR_SSL_(UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|.*ALERT_PROTOCOL_VERSION)$/;

/** Alerts about certificates. Without one, TLS 1.2 says only that the handshake failed. */
function isRefusal(code: string): boolean {
  return /^ERR_SSL_.*ALERT_(.*CERTIFICATE.*|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/.test(code);
}

/** OpenSSL's errors have a reason for people beside the message with its source lines. */
function reasonOf(error: Error): string {
  return 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
}

const statuses: Readonly<Record<number, readonly [string, KmsErrorCode]>> = {
  1: ['CANCELLED', 'ERR_KMS_FAILED'],
  2: ['UNKNOWN', 'ERR_KMS_FAILED'],
  3: ['INVALID_ARGUMENT', 'ERR_KMS_REFUSED'],
  4: ['DEADLINE_EXCEEDED', 'ERR_KMS_TIMEOUT'],
  5: ['NOT_FOUND', 'ERR_KMS_REFUSED'],
  6: ['ALREADY_EXISTS', 'ERR_KMS_FAILED'],
  7: ['PERMISSION_DENIED', 'ERR_KMS_REFUSED'],
  8: ['RESOURCE_EXHAUSTED', 'ERR_KMS_BUSY'],
  9: ['FAILED_PRECONDITION', 'ERR_KMS_REFUSED'],
  10: ['ABORTED', 'ERR_KMS_FAILED'],
  11: ['OUT_OF_RANGE', 'ERR_KMS_FAILED'],
  12: ['UNIMPLEMENTED', 'ERR_KMS_ANSWER'],
  13: ['INTERNAL', 'ERR_KMS_FAILED'],
  14: ['UNAVAILABLE', 'ERR_KMS_BUSY'],
  15: ['DATA_LOSS', 'ERR_KMS_FAILED'],
  16: ['UNAUTHENTICATED', 'ERR_KMS_REFUSED'],
};
