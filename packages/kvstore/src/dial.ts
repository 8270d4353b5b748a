import { connect, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';

import type { Endpoint } from './endpoint.ts';
import { KvstoreError } from './errors.ts';
import { secure, tlsError } from './tls.ts';

/** The time a connection may take, and who may end the wait sooner. */
export type DialLimits = { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined };

/** Opens a connection. It is the caller's from then on, with its errors. */
export async function dial(
  endpoint: Endpoint,
  context: SecureContext | undefined,
  { timeoutMs, signal }: DialLimits,
): Promise<Socket> {
  signal?.throwIfAborted();
  const socket = connect(endpoint.port, endpoint.host);
  const late = Promise.withResolvers<never>();
  const abort = (): void => late.reject(signal?.reason);
  const timer = setTimeout(() => {
    late.reject(new KvstoreError('ERR_KVSTORE_TIMEOUT', endpoint.text, `no connection in ${timeoutMs} ms`));
  }, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    return await Promise.race([open(endpoint, context, socket), late.promise]);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function open(endpoint: Endpoint, context: SecureContext | undefined, socket: Socket): Promise<Socket> {
  socket.setNoDelay(true);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: NodeJS.ErrnoException): void => reject(tlsError(endpoint, error));
  socket.once('connect', resolve).once('error', fail);
  await promise;
  socket.removeListener('error', fail);
  return endpoint.tls && context !== undefined ? secure(endpoint, context, socket) : socket;
}
