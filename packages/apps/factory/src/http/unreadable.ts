import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { RequestError } from '@hono/node-server';
import { codeOf } from '@nodecore/sys';

import { type Asked, Pipeline } from './pipeline.ts';

const noRequest = 'no request as HTTP/1.1 has it (RFC 9112)';

/** What is told of a connection on which no request comes to its end. */
const told: ReadonlyMap<string | undefined, readonly [status: string, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'more than 16 KiB of headers']],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    ['413 Content Too Large', 'more than 16 KiB beside the chunks of a body'],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'the request did not come to its end in time']],
]);

/**
 * Serves requests. What is none, or has not come to its end in time, is told so with a stable code, and its connection ends: nobody
 * says where the next request on it would begin.
 */
export function serveRequests(
  server: Server,
  serve: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown,
): void {
  const pipelines = new WeakMap<Duplex, Pipeline>();
  const begin = ({ incoming, outgoing }: Asked): void => {
    if (hasHost(incoming)) void serve(incoming, outgoing);
    else refuse(outgoing, 400, 'host: exactly one, as RFC 9112 has it');
  };
  const ending = new WeakSet<Duplex>();
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    const pipeline = pipelines.get(socket) ?? new Pipeline(socket, begin);
    pipelines.set(socket, pipeline);
    pipeline.add({ incoming, outgoing });
  });
  server.on('checkExpectation', (_incoming, outgoing) => refuse(outgoing, 417, 'expect: 100-continue alone'));
  server.on('clientError', (error, socket) => {
    if (ending.has(socket)) return; // what comes after it is none, either
    ending.add(socket);
    socket.pause();
    void end(socket, error, pipelines.get(socket)?.open ?? []);
  });
}

/** Ends a connection when each whole request before has its answer: a client takes what comes for that of the first. */
async function end(socket: Duplex, error: Error, asked: readonly Asked[]): Promise<void> {
  const whole = asked.filter(({ incoming }) => incoming.complete);
  await Promise.all(whole.map(({ outgoing }) => new Promise((resolve) => outgoing.once('close', resolve))));
  const isInAnswer = asked.some(({ incoming, outgoing }) => !incoming.complete && outgoing.headersSent);
  if (socket.writable && !isInAnswer) {
    const [status, message] = told.get(codeOf(error)) ?? ['400 Bad Request', noRequest];
    const { text, headers } = refusal(message);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${text}`);
  }
  socket.destroy(error);
}

/** What the router can not make a request of: an address that is none. */
export function unreadable(error: unknown): Response {
  const { text, headers } = refusal(noRequest);
  if (error instanceof RequestError) return new Response(text, { status: 400, headers });
  return new Response('ERR_FACTORY_INTERNAL: this is a defect of the factory\n', { status: 500, headers });
}

/** Two would be read by a proxy as one, and here as the other. */
function hasHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count === 1 || (count === 0 && httpVersion === '1.0');
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const { text, headers } = refusal(message);
  outgoing.writeHead(status, headers).end(text);
}

function refusal(message: string): { readonly text: string; readonly headers: Record<string, string> } {
  const text = `ERR_FACTORY_REQUEST: ${message}\n`;
  const headers = {
    server: 'nodecore-factory',
    connection: 'close',
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': `${Buffer.byteLength(text)}`,
  };
  return { text, headers };
}
