import { constants } from 'node:crypto';
import { createServer, type Server, type TlsOptions } from 'node:tls';

import type { Secret } from '@nodecore/sys';

/** What the server shows, and whom it lets in. */
export type ServerCredentials = {
  /** PEM. */
  readonly crt: string;
  /** PEM; read once, when the credentials are put to use. */
  readonly key: Secret;
  /** PEM of the authorities whose clients may connect; undefined in maintenance: any client may. */
  readonly clientAuthorities: readonly string[] | undefined;
};

/** SSL_OP_CLEANSE_PLAINTEXT, SSL_CTX_set_options(3): decrypted bytes are overwritten once read. Node.js has no name for it. */
const cleansePlaintext = 1 << 1;

const common: TlsOptions = {
  minVersion: 'TLSv1.2',
  ecdhCurve: 'X25519',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384', // the one for TLS 1.2
  ].join(':'),
  ALPNProtocols: ['h2'],
  // A resumed session would skip the look at the client's certificate.
  secureOptions: constants.SSL_OP_NO_TICKET | cleansePlaintext,
};

/** A TLS server that does not listen: connections are handed to it with `emit('connection', socket)`. */
export function tlsServer(
  { crt, key, clientAuthorities }: ServerCredentials,
  handshakeTimeout: number,
): Server {
  const options: TlsOptions = { ...common, cert: crt, key: key.bytes, handshakeTimeout };
  if (clientAuthorities === undefined) return createServer(options);
  return createServer({
    ...options,
    ca: [...clientAuthorities],
    requestCert: true,
    rejectUnauthorized: true,
  });
}
