import { constants, type IncomingHttpHeaders } from 'node:http2';

import { Secret } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';

import { Answer, prefixBytes } from './answer.ts';
import type { Deadline, Progress } from './deadline.ts';
import type { Session } from './session.ts';

/**
 * One unary gRPC call on a connection that others may use, too.
 *
 * Not by grpc-js: it copies messages into buffers that nobody can overwrite, it follows the proxies of the environment,
 * and of a failed handshake it keeps only a text.
 *
 * @returns the message, which the caller disposes.
 */
export async function exchange(
  session: Session,
  path: string,
  message: Secret,
  deadline: Deadline,
): Promise<Secret> {
  const { signal } = deadline;
  const progress: Progress = { stage: 'waiting for the answer' };
  deadline.progress = progress;
  signal.throwIfAborted();
  using answer = new Answer(session.endpoint);
  using framed = frame(message);
  const stream = session.request({
    ':path': path,
    te: 'trailers',
    'content-type': 'application/grpc',
    'grpc-timeout': `${Math.min(deadline.remainingMs, 99_999_999)}m`, // eight digits are possible
    'user-agent': 'nodecore-kms',
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  using _listener = onAbort(signal, reject);
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
  const takeHeaders = taking((headers: IncomingHttpHeaders) => {
    progress.stage = 'in the middle of the answer';
    answer.headers(headers);
  });
  stream.on('response', takeHeaders);
  stream.on('trailers', takeHeaders);
  stream.on(
    'data',
    taking((chunk: Buffer) => answer.data(chunk)),
  );
  let failure: Error | undefined;
  stream.on('error', (error) => (failure ??= error)); // 'close' follows
  stream.on('close', () => {
    if (answer.isComplete) resolve();
    else reject(session.loss.of(stream.rstCode, failure));
    closed.resolve();
  });
  try {
    stream.end(framed.bytes);
    await promise;
    return answer.message();
  } finally {
    // The connection stays: what is given up has to be called off, and the message is overwritten after it was let go.
    stream.close(constants.NGHTTP2_CANCEL);
    stream.destroy();
    await closed.promise;
    Secret.wipeTraces();
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
