import { connect, type OnReadOpts, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

import { onAbort } from '@nodecore/waiting';

import type { Endpoint } from './endpoint.ts';
import { KvstoreError } from './errors.ts';
import { secured, secureSocket } from './tls.ts';

export type DialOptions = {
  /** The time that a connection may take. */
  readonly timeoutMs: number;
  /** Ends the wait sooner. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what comes, from the first byte on, in place of the events of a stream. */
  readonly onread: OnReadOpts;
};

/** Opens a connection. It is the caller's from then on, with its errors. */
export async function dial(
  endpoint: Endpoint,
  context: SecureContext | undefined,
  { timeoutMs, signal, onread }: DialOptions,
): Promise<Socket> {
  signal?.throwIfAborted();
  const to = { host: endpoint.host, port: endpoint.port, noDelay: true, onread };
  const isSecure = endpoint.tls && context !== undefined;
  const socket = isSecure ? secureSocket(endpoint, context, to) : connect(to);
  return await inTime(endpoint, socket, { timeoutMs, signal });
}

/** Opens a connection to a member that listens at a path of this machine. It is the caller's from then on, with its errors. */
export async function dialSocket(path: string, options: DialOptions): Promise<Socket> {
  options.signal?.throwIfAborted();
  return await inTime({ text: path }, connect({ path, onread: options.onread }), options);
}

/** The socket when it is ready. */
async function inTime(
  endpoint: Endpoint | Pick<Endpoint, 'text'>,
  socket: Socket,
  { timeoutMs, signal }: Omit<DialOptions, 'onread'>,
): Promise<Socket> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new KvstoreError('ERR_KVSTORE_TIMEOUT', endpoint.text, `no connection in ${timeoutMs} ms`));
  }, timeoutMs);
  using _listener = onAbort(signal, (reason) => late.reject(reason));
  try {
    const isSecure = 'host' in endpoint && socket instanceof TLSSocket;
    const open = isSecure ? secured(endpoint, socket) : connected(endpoint.text, socket);
    return await Promise.race([open, late.promise]);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function connected(subject: string, socket: Socket): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (cause: Error): void =>
    reject(new KvstoreError('ERR_KVSTORE_UNREACHABLE', subject, cause.message, { cause }));
  socket.once('connect', resolve).once('error', fail);
  await promise;
  socket.removeListener('error', fail);
  return socket;
}
