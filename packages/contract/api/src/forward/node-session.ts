import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { isIP } from 'node:net';
import { checkServerIdentity, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';

import { codeOf } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';

import { faultOf } from '../client/fault.ts';
import { ForwardError } from './errors.ts';

/** What one stream may have on its way: a reader that stops keeps as much, and none of what the others need. */
const streamWindowBytes = 256 << 10;
/** All streams of a connection, of which a node lets 64 run at once. */
const windowBytes = 64 * streamWindowBytes;

export type NodeSessionOptions = {
  /** What its certificate must name. */
  readonly name: string;
  /** Where it is dialled. */
  readonly address: string;
  readonly port: number;
  /** Whom to trust, and what to show. */
  readonly context: SecureContext;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
};

/**
 * HTTP/2 to the API of a node that is the one it is taken for, and that has let us in. The caller ends it.
 *
 * @throws {ForwardError} `ERR_FORWARD_UNREACHABLE`, `ERR_FORWARD_UNTRUSTED`; `signal.reason`.
 */
export async function openNodeSession(options: NodeSessionOptions): Promise<ClientHttp2Session> {
  const { name, address, port, context, signal } = options;
  signal.throwIfAborted();
  const socket = connectTls({
    host: address,
    port,
    secureContext: context,
    ALPNProtocols: ['h2'],
    ...(isIP(name) === 0 && { servername: name }), // RFC 6066: no addresses in the server name
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
  });
  socket.setNoDelay(true);
  using _aborted = onAbort(signal, () => void socket.destroy());
  const ended = endOf(socket, port);
  ended.catch(() => {}); // it may come after we are done
  try {
    await Promise.race([secured(socket), ended]);
    if (socket.alpnProtocol !== 'h2')
      throw new ForwardError('ERR_FORWARD_UNTRUSTED', 'what listens there is no node: it speaks no HTTP/2');
    const session = connectHttp2('https://node', {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
    });
    session.on('error', () => {}); // its streams tell
    session.on('stream', (pushed) => pushed.close());
    // In TLS 1.3 a certificate of ours is refused after our side of the handshake.
    await Promise.race([settled(session), ended]);
    session.setLocalWindowSize(windowBytes);
    return session;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw error;
  }
}

function secured(socket: TLSSocket): Promise<void> {
  return new Promise((resolve) => socket.once('secureConnect', resolve));
}

function settled(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => session.once('remoteSettings', () => resolve()));
}

/** Rejects when the connection is over, with why. */
function endOf(socket: TLSSocket, port: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    let isSecured = false;
    socket.once('secureConnect', () => (isSecured = true));
    socket.on('error', (error) => reject(toldOf(codeOf(error) ?? '', port, error)));
    socket.once('close', () => {
      // A node that refuses a certificate hangs up without an alert, as does one that ends.
      const words = isSecured
        ? 'it hung up after the TLS handshake: it ends, or does not accept the certificate of this node'
        : 'it hung up in the TLS handshake';
      reject(new ForwardError('ERR_FORWARD_UNREACHABLE', words));
    });
  });
}

function toldOf(code: string, port: number, cause: Error): ForwardError {
  const told = faultOf(code, port);
  const words =
    told.fault === 'unknown-authority'
      ? 'its certificate is not from the authority of this cluster, or is not one of a server'
      : told.words;
  const isReachable = told.code !== 'ERR_API_UNREACHABLE';
  return new ForwardError(isReachable ? 'ERR_FORWARD_UNTRUSTED' : 'ERR_FORWARD_UNREACHABLE', words, {
    cause,
  });
}
