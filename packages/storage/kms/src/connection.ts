import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, TLSSocket } from 'node:tls';

import type { Progress } from './deadline.ts';
import type { Endpoint } from '@nodecore/kms-endpoint';
import { onAbort } from '@nodecore/waiting';
import { KmsError } from './errors.ts';
import { connectionError } from './failure.ts';
import type { PeerOptions } from './peer-options.ts';
import { secureContext } from './trust.ts';

/** A connection that is ready for HTTP/2, owned by the caller. */
export type Connection = { readonly endpoint: Endpoint; readonly socket: Socket | TLSSocket };

/** The end of the attempt, and how far it is. */
export type Dial = { readonly signal: AbortSignal; readonly progress: Progress };

/** Opens a connection and checks who is there. */
export async function connect(
  endpoint: Endpoint,
  options: PeerOptions,
  { signal, progress }: Dial,
): Promise<Connection> {
  const socket = endpoint.tls ? open(endpoint, options) : connectTcp(endpoint.port, endpoint.host);
  socket.setNoDelay(true);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  using _listener = onAbort(signal, reject);
  socket.once('connect', () => {
    if (endpoint.tls) progress.stage = 'in the TLS handshake';
    else resolve();
  });
  socket.once('secureConnect', resolve);
  // Stays for the life of the socket: in TLS 1.3 our certificate is refused after our side of the handshake.
  socket.on('error', (error: NodeJS.ErrnoException) => reject(connectionError(endpoint, socket, error)));
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => {
    reject(new KmsError('ERR_KMS_UNREACHABLE', endpoint.text, `closed ${progress.stage}`));
    closed.resolve();
  });
  try {
    await promise;
    if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2')
      throw new KmsError('ERR_KMS_ANSWER', endpoint.text, 'no HTTP/2 there');
    return { endpoint, socket };
  } catch (error) {
    socket.destroy();
    await closed.promise;
    throw error;
  }
}

function open(endpoint: Endpoint, options: PeerOptions): TLSSocket {
  // With its last dot a name is absolute; certificates and the server name are so without it.
  const name = (options.serverName ?? endpoint.host).replace(/\.$/, '').replace(/%.*$/, '');
  return connectTls({
    host: endpoint.host,
    port: endpoint.port,
    secureContext: secureContext(endpoint, options),
    servername: isIP(name) === 0 ? name : '', // RFC 6066: no addresses there
    checkServerIdentity: (_name, certificate) => checkServerIdentity(name, certificate),
    ALPNProtocols: ['h2'],
  });
}
