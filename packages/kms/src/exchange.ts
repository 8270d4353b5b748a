import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
} from 'node:http2';
import { isIPv6 } from 'node:net';
import { TLSSocket } from 'node:tls';

import { Secret } from '@nodecore/sys';

import { Answer, prefixBytes } from './answer.ts';
import type { Connection } from './connection.ts';
import type { Deadline } from './deadline.ts';
import { KmsError } from './errors.ts';
import { connectionError, hungUp } from './failure.ts';

/**
 * One unary gRPC call, and the end of the connection.
 *
 * Not by grpc-js: it copies messages into buffers that nobody can overwrite, it follows the proxies of the environment,
 * and of a failed handshake it keeps only a text.
 *
 * @returns the message, which the caller disposes.
 */
export async function exchange(
  connection: Connection,
  path: string,
  message: Secret,
  deadline: Deadline,
): Promise<Secret> {
  const { endpoint, socket } = connection;
  if (socket.destroyed)
    throw new KmsError('ERR_KMS_UNREACHABLE', endpoint.text, 'closed after the handshake');
  deadline.stage = 'waiting for the answer';
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => closed.resolve());
  const session = connectHttp2(`${endpoint.tls ? 'https' : 'http'}://localhost`, {
    createConnection: () => socket,
    settings: { enablePush: false },
  });
  try {
    return await request(session, connection, path, message, deadline);
  } finally {
    session.destroy();
    socket.destroy();
    await closed.promise;
  }
}

async function request(
  session: ClientHttp2Session,
  connection: Connection,
  path: string,
  message: Secret,
  { signal, remainingMs }: Deadline,
): Promise<Secret> {
  using answer = new Answer(connection.endpoint);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const lost = lossOf(session, connection);
  const end = (): void => reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      ':authority': authorityOf(connection),
      te: 'trailers',
      'content-type': 'application/grpc',
      'grpc-timeout': `${remainingMs}m`,
      'user-agent': 'nodecore-kms',
    });
    const accept =
      <T>(take: (value: T) => void) =>
      (value: T): void => {
        try {
          take(value);
        } catch (error) {
          reject(error);
        }
      };
    stream.on(
      'response',
      accept((headers) => answer.headers(headers)),
    );
    stream.on(
      'trailers',
      accept((headers) => answer.headers(headers)),
    );
    stream.on(
      'data',
      accept((chunk: Buffer) => answer.data(chunk)),
    );
    stream.on('error', () => {}); // 'close' follows, and knows more
    stream.on('close', () => {
      if (answer.isComplete) resolve();
      else reject(lost(stream));
    });
    using framed = frame(message);
    stream.end(framed.bytes);
    await promise;
    return answer.message();
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** The message after its prefix. */
function frame(message: Secret): Secret {
  const bytes = Buffer.allocUnsafeSlow(prefixBytes + message.sizeBytes);
  bytes[0] = 0; // not compressed
  bytes.writeUInt32BE(message.sizeBytes, 1);
  message.bytes.copy(bytes, prefixBytes);
  return Secret.take(bytes);
}

/** What is to be said when a stream ends without a status. */
function lossOf(
  session: ClientHttp2Session,
  { endpoint, socket }: Connection,
): (stream: ClientHttp2Stream) => KmsError {
  let failure: NodeJS.ErrnoException | undefined;
  let spoke = false;
  const fail = (error: NodeJS.ErrnoException): void => {
    failure ??= error;
  };
  socket.on('error', fail);
  session.on('error', fail);
  session.once('remoteSettings', () => {
    spoke = true;
  });
  return ({ rstCode }) => {
    const isReset = failure === undefined || failure.code === 'ECONNRESET' || failure.code === 'EPIPE';
    // A Node.js server checks our certificate after the handshake and hangs up without an alert.
    if (isReset && !spoke && socket instanceof TLSSocket) return hungUp(endpoint);
    if (failure !== undefined) return connectionError(endpoint, socket, failure);
    if (rstCode === constants.NGHTTP2_REFUSED_STREAM || rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM)
      return new KmsError('ERR_KMS_BUSY', endpoint.text, 'it takes no more calls');
    if (!spoke && socket.bytesRead > 0)
      return new KmsError(
        'ERR_KMS_ANSWER',
        endpoint.text,
        'no HTTP/2 there; perhaps TLS, which grpc:// is not',
      );
    if (session.destroyed)
      return new KmsError('ERR_KMS_UNREACHABLE', endpoint.text, 'connection lost before the answer');
    return new KmsError('ERR_KMS_FAILED', endpoint.text, `it gave the call up (HTTP/2 error ${rstCode})`);
  };
}

function authorityOf({ endpoint: { host, port } }: Connection): string {
  return isIPv6(host) ? `[${host.replace(/%.*$/, '')}]:${port}` : `${host}:${port}`;
}
