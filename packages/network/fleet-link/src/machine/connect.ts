import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

import type { JoinUrl } from '@nodecore/fleet-api/join';
import { codeOf } from '@nodecore/sys';

import { LinkError } from '../errors.ts';
import type { LinkIdentity } from '../identity.ts';
import { protocol } from '../protocol.ts';
import { checkPinned } from './trust.ts';

export type ConnectOptions = {
  readonly url: JoinUrl;
  readonly identity: LinkIdentity;
  /** PEM, in place of the public ones. */
  readonly roots?: readonly string[] | undefined;
  readonly connectMs: number;
  readonly signal: AbortSignal;
};

/**
 * A TLS 1.3 session with the fleet, whose certificate is checked. Nothing was sent on it yet.
 *
 * @throws {LinkError} `ERR_LINK_UNREACHABLE`, `ERR_LINK_CERTIFICATE`, `ERR_LINK_PROTOCOL`.
 */
export async function connectFleet(options: ConnectOptions): Promise<TLSSocket> {
  const { url, identity, roots, connectMs, signal } = options;
  const { host, port, fleetCa: pin } = url;
  signal.throwIfAborted();
  const socket = connect({
    host,
    port,
    ...(isIP(host) === 0 && { servername: host }),
    minVersion: 'TLSv1.3',
    ALPNProtocols: [protocol],
    rejectUnauthorized: pin === undefined,
    ...(roots && { ca: [...roots] }),
    ...(identity.certificate !== undefined && { cert: identity.certificate, key: identity.key.bytes }),
  });
  const deadline = AbortSignal.timeout(connectMs);
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.any([signal, deadline]) });
    if (pin !== undefined) checkPinned(socket, host, pin);
    if (socket.alpnProtocol !== protocol)
      throw new LinkError('ERR_LINK_PROTOCOL', `${host}:${port} does not speak ${protocol}`);
    socket.setNoDelay(true);
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    signal.throwIfAborted();
    throw error instanceof LinkError ? error : reasonOf(error, `${host}:${port}`);
  }
}

/** Errors of verification have the names of OpenSSL's X509_V_ERR or of Node.js, all with their word in it. */
function reasonOf(error: unknown, place: string): LinkError {
  const code = codeOf(error) ?? 'none';
  if (code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL')
    return new LinkError('ERR_LINK_PROTOCOL', `${place} does not speak ${protocol}`);
  const isCertificate = /CERT|ISSUER|SIGNATURE|ERR_TLS_/u.test(code);
  return new LinkError(isCertificate ? 'ERR_LINK_CERTIFICATE' : 'ERR_LINK_UNREACHABLE', `${place}: ${code}`);
}
