import type { ApiErrorCode } from '../errors.ts';
import type { ConnectionFault } from './connection-fault.ts';

type Told = { readonly code: ApiErrorCode; readonly fault?: ConnectionFault; readonly words: string };

/** What happened to a connection, by the code that Node.js gives: errno names, and those of its TLS. */
export function faultOf(code: string, port: number): Told {
  const socket = sockets[code];
  if (socket !== undefined)
    return { code: 'ERR_API_UNREACHABLE', fault: socket[0], words: socket[1].replace('$port', String(port)) };
  const certificate = certificates[code];
  if (certificate !== undefined)
    return { code: 'ERR_API_UNTRUSTED', fault: certificate[0], words: certificate[1] };
  if (foreign.has(code) || code.endsWith('_ALERT_UNEXPECTED_MESSAGE'))
    return { code: 'ERR_API_PROTOCOL', fault: 'no-tls', words: 'what listens there speaks no TLS' };
  const [, alert] = /^ERR_SSL_\w*ALERT_(\w+)$/u.exec(code) ?? [];
  if (alert !== undefined && !/VERSION|PROTOCOL|HANDSHAKE_FAILURE|SECURITY/u.test(alert))
    return { code: 'ERR_API_UNAUTHENTICATED', ...(alerts[alert] ?? refusal) };
  if (code.endsWith('_NO_APPLICATION_PROTOCOL')) return { code: 'ERR_API_PROTOCOL', words: noHttp2 };
  if (code.startsWith('ERR_SSL_'))
    return {
      code: 'ERR_API_PROTOCOL',
      fault: 'other-tls',
      words: /VERSION|UNSUPPORTED_PROTOCOL/u.test(code)
        ? 'it has no version of TLS that this client takes'
        : `it speaks TLS in another way (${code})`,
    };
  if (/^E[A-Z]+$/u.test(code)) return { code: 'ERR_API_UNREACHABLE', words: `no connection (${code})` };
  return {
    code: 'ERR_API_UNTRUSTED',
    words: `its certificate is not accepted (${code || 'no reason known'})`,
  };
}

/** TLS is there, and no node behind it. */
export const noHttp2 = 'what listens there is no node: it speaks no HTTP/2';

const noRoute = ['no-route', 'no route leads there'] as const;
const lost = ['lost', 'the connection was reset'] as const;
const notAllowed = ['not-allowed', 'this machine does not allow the connection'] as const;

const sockets: Readonly<Record<string, readonly [ConnectionFault, string]>> = {
  ECONNREFUSED: ['refused', 'connection refused: nothing listens on port $port'],
  ETIMEDOUT: ['silent', 'nothing there answers'],
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENETDOWN: noRoute,
  EADDRNOTAVAIL: noRoute,
  ENOTFOUND: ['no-name', 'no such name'],
  EAI_AGAIN: ['no-name', 'the name servers do not answer'],
  EACCES: notAllowed,
  EPERM: notAllowed,
  ECONNRESET: lost,
  ECONNABORTED: lost,
  EPIPE: lost,
};

const ofNobody = ['unknown-authority', 'its certificate is not from the authority of the context'] as const;

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificates: Readonly<Record<string, readonly [ConnectionFault, string]>> = {
  CERT_HAS_EXPIRED: ['expired', 'its certificate, or its authority, has expired'],
  CERT_NOT_YET_VALID: ['not-yet-valid', 'its certificate, or its authority, is not valid yet'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ofNobody,
  SELF_SIGNED_CERT_IN_CHAIN: ofNobody,
  UNABLE_TO_GET_ISSUER_CERT: ofNobody,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ofNobody,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ofNobody,
  CERT_SIGNATURE_FAILURE: ofNobody,
  CERT_UNTRUSTED: ofNobody,
  INVALID_CA: ofNobody,
  INVALID_PURPOSE: ['unknown-authority', 'its certificate is not one of a server'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['other-name', 'its certificate is for other names'],
  HOSTNAME_MISMATCH: ['other-name', 'its certificate is for other names'],
};

/** What a plain text looks like to who expects TLS. */
const foreign: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_HTTPS_PROXY_REQUEST',
  'ERR_SSL_UNEXPECTED_MESSAGE',
  'ERR_SSL_BAD_RECORD_TYPE',
]);

const refusal = { fault: 'client-refused', words: 'it does not accept the client certificate' } as const;
const clientExpired = { fault: 'client-expired', words: 'the client certificate has expired' } as const;

/** What a node says of the client's certificate (RFC 8446, 6.2). */
const alerts: Readonly<Record<string, { readonly fault: ConnectionFault; readonly words: string }>> = {
  CERTIFICATE_REQUIRED: { fault: 'client-refused', words: 'it wants a client certificate' },
  CERTIFICATE_EXPIRED: clientExpired,
};
