import { connect, type OnReadOpts, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

import { onAbort } from '@nodecore/waiting';

import type { Endpoint } from './endpoint.ts';
import { KvstoreError } from './errors.ts';
import { secured, secureSocket, tlsError } from './tls.ts';

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
  const socket = endpoint.tls && context !== undefined ? secureSocket(endpoint, context, to) : connect(to);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new KvstoreError('ERR_KVSTORE_TIMEOUT', endpoint.text, `no connection in ${timeoutMs} ms`));
  }, timeoutMs);
  using _listener = onAbort(signal, (reason) => late.reject(reason));
  try {
    const open = socket instanceof TLSSocket ? secured(endpoint, socket) : connected(endpoint, socket);
    return await Promise.race([open, late.promise]);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function connected(endpoint: Endpoint, socket: Socket): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: NodeJS.ErrnoException): void => reject(tlsError(endpoint, error));
  socket.once('connect', resolve).once('error', fail);
  await promise;
  socket.removeListener('error', fail);
  return socket;
}
