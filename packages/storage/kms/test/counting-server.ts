import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';

import { Secret } from '@nodecore/sys';
import type { ExecutionContext } from 'ava';

import {
  type ClientOptions,
  Connections,
  type Endpoint,
  KmsError,
  parseEndpoint,
  unseal,
  type UnsealRequest,
} from '../src/index.ts';
import { framed, reply, responseOf, tcpServer } from './raw-server.ts';

export const nodeUuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
export const key: Secret = Secret.random(32);
export const request: UnsealRequest = { nodeUuid, data: randomBytes(60) };

export type Server = {
  readonly endpoint: Endpoint;
  /** Every connection that was accepted, in order. */
  readonly sessions: readonly ServerHttp2Session[];
  /** Ends every connection, as a server does that begins anew. */
  restart(): Promise<void>;
};

/** Answers every call with the key, unless it is told otherwise. Ends with the test. */
export async function server(
  t: ExecutionContext,
  handler: (stream: ServerHttp2Stream, number: number) => void = answer,
): Promise<Server> {
  const sessions: ServerHttp2Session[] = [];
  let calls = 0;
  const start = async (port: number) => {
    const http2 = createServer();
    http2.on('session', (session) => {
      sessions.push(session);
      session.on('error', () => {});
    });
    http2.on('stream', (stream) => {
      stream.on('error', () => {});
      stream.resume();
      stream.on('end', () => handler(stream, (calls += 1)));
    });
    http2.listen(port, '127.0.0.1');
    await once(http2, 'listening');
    return http2;
  };
  const stop = async (): Promise<void> => {
    const closed = once(running, 'close');
    running.close();
    for (const session of sessions) session.destroy();
    await closed;
  };
  let running = await start(0);
  const { port } = running.address() as AddressInfo;
  t.teardown(stop);
  const restart = async (): Promise<void> => {
    await stop();
    running = await start(port);
  };
  return { endpoint: parseEndpoint(`grpc://127.0.0.1:${port}`), sessions, restart };
}

export function answer(stream: ServerHttp2Stream): void {
  reply(stream, framed(responseOf(key.bytes)));
}

export async function ask({ endpoint }: { endpoint: Endpoint }, options: ClientOptions): Promise<boolean> {
  using answered = await unseal(endpoint, request, options);
  return answered.equals(key);
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'OK',
    (error: unknown) => (error instanceof KmsError ? error.code : String(error)),
  );
}

/** Passes everything on to a server, and shows the connections that clients made. */
export async function inBetween(
  t: ExecutionContext,
  port: number,
  scheme = 'grpc',
): Promise<{ readonly endpoint: Endpoint; readonly sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const own = await tcpServer(t, (socket) => {
    sockets.push(socket);
    const onward = connectTcp(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  return { endpoint: parseEndpoint(`${scheme}://127.0.0.1:${own}`), sockets };
}

/** Connections that are closed with the test. */
export function kept(t: ExecutionContext, idleMs?: number): Connections {
  const connections = new Connections({ idleMs });
  t.teardown(() => connections.close());
  return connections;
}
