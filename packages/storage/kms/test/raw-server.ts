import { once } from 'node:events';
import {
  createServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

import type { ExecutionContext } from 'ava';

import { type Endpoint, parseEndpoint } from '../src/index.ts';

type Handler = (stream: ServerHttp2Stream, request: Buffer, headers: IncomingHttpHeaders) => void;

/** A server that speaks HTTP/2 and otherwise does what a test wants. Ends with the test. */
export async function rawServer(t: ExecutionContext, handler: Handler): Promise<Endpoint> {
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => handler(stream, Buffer.concat(chunks), headers));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return parseEndpoint(`grpc://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** A port on which a test decides what happens to a connection. Ends with the test. */
export async function tcpServer(
  t: ExecutionContext,
  onConnection: (socket: Socket) => void,
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A message as gRPC frames it. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([prefix, message]);
}

/** A response of the protocol: field 1, bytes. */
export function responseOf(data: Uint8Array): Buffer {
  const length = data.byteLength;
  const varint =
    length < 128
      ? [length]
      : length < 16_384
        ? [(length & 127) | 128, length >> 7]
        : [(length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14];
  return Buffer.concat([Buffer.from([0x0a, ...varint]), data]);
}

/** Answers as a gRPC server does. */
export function reply(
  stream: ServerHttp2Stream,
  body: Buffer,
  trailers: Record<string, string> = { 'grpc-status': '0' },
): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
}
