import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { isIPv6 } from 'node:net';

import { Secret } from '@nodecore/sys';

import { Answer, prefixBytes } from './answer.ts';
import type { Connection } from './connection.ts';
import type { Deadline } from './deadline.ts';
import { KmsError } from './errors.ts';
import { Loss } from './loss.ts';

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
    Secret.wipeTraces();
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
  const loss = new Loss(session, connection);
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
      'grpc-timeout': `${Math.min(remainingMs, 99_999_999)}m`, // eight digits are possible
      'user-agent': 'nodecore-kms',
    });
    // What an answer can't be ends the call, whatever else comes.
    const taking =
      <T>(take: (value: T) => void) =>
      (value: T): void => {
        try {
          take(value);
        } catch (error) {
          reject(error);
        }
      };
    const takeHeaders = taking((headers: IncomingHttpHeaders) => answer.headers(headers));
    stream.on('response', takeHeaders);
    stream.on('trailers', takeHeaders);
    stream.on(
      'data',
      taking((chunk: Buffer) => answer.data(chunk)),
    );
    stream.on('error', (error) => loss.note(error)); // 'close' follows
    stream.on('close', () => {
      if (answer.isComplete) resolve();
      else reject(loss.of(stream));
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

function authorityOf({ endpoint: { host, port } }: Connection): string {
  return isIPv6(host) ? `[${host.replace(/%.*$/, '')}]:${port}` : `${host}:${port}`;
}
