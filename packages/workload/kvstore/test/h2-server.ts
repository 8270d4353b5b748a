import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { SnapshotResponse } from '../gen/etcdserverpb.js';
import type { Kvstore } from '../src/index.ts';

/** Types of HTTP/2 frames (RFC 9113, 6.). */
export const frameTypes = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** A frame as it is on the wire. */
export function frame(
  type: keyof typeof frameTypes,
  payload: Uint8Array | readonly number[],
  {
    flags = 0,
    stream = 0,
    length = payload.length,
  }: { flags?: number; stream?: number; length?: number } = {},
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.set([frameTypes[type], flags], 3);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
}

/** A frame with header fields, none of them compressed. */
export function headers(fields: Readonly<Record<string, string>>, isEnd = false): Buffer {
  const block = Object.entries(fields).flatMap(([name, value]) => [
    Buffer.from([0]),
    text(name),
    text(value),
  ]);
  return frame('headers', Buffer.concat(block), { flags: isEnd ? 5 : 4, stream: 1 });
}

/** A text as HPACK has it, uncompressed. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
}

/** What a server that keeps to the protocol begins with. */
export const beginning: Buffer = Buffer.concat([
  frame('settings', []),
  frame('settings', [], { flags: 1 }), // it has read those of the client, with their windows
  headers({ ':status': '200', 'content-type': 'application/grpc' }),
]);

/** A message of a snapshot, as gRPC frames it. */
export function message(bytes: number, remainingBytes: bigint): Buffer {
  const content = SnapshotResponse.encode({
    header: { clusterId: 1n, memberId: 1n, revision: 1n, raftTerm: 1n },
    remainingBytes,
    blob: Buffer.alloc(bytes),
    version: '3.6.0',
  });
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(content.length, 1);
  return Buffer.concat([prefix, content]);
}

/** A frame of a snapshot's content. */
export function data(content: Uint8Array, isEnd = false): Buffer {
  return frame('data', content, { flags: isEnd ? 1 : 0, stream: 1 });
}

/** A server at a path that talks as it is told. @returns the path. */
export async function socketServer(t: ExecutionContext, talk: (socket: Socket) => void): Promise<string> {
  const path = join(await temporaryDirectory(t), 'client');
  const server = createServer((socket) => {
    socket.on('error', () => {}); // the client leaves
    socket.once('data', () => {
      socket.resume();
      talk(socket);
    });
  });
  server.listen(path);
  await once(server, 'listening');
  t.teardown(() => server.close());
  return path;
}

/** A server that talks as it is told, and what a snapshot needs to know of a cluster that it is all of. */
export async function h2Server(t: ExecutionContext, talk: (socket: Socket) => void): Promise<Kvstore> {
  const server = createServer((socket) => {
    socket.on('error', () => {}); // the client leaves
    socket.once('data', () => {
      socket.resume();
      talk(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const dial: Kvstore['dial'] = async (_endpoint, { onread }) => connect({ port, host: '127.0.0.1', onread });
  return { endpoints: [`http://127.0.0.1:${port}`], dial, freshToken: noToken } as unknown as Kvstore;
}

async function noToken(): Promise<undefined> {
  await Promise.resolve();
  return undefined;
}
