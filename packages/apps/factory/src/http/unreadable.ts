import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { RequestError } from '@hono/node-server';
import { codeOf } from '@nodecore/sys';

import { originForm } from './origin-form.ts';
import { type Asked, Pipeline } from './pipeline.ts';
import { type Flaw, flawOf, noRequest, noTunnel, otherExpectation, otherVersion } from './request-flaw.ts';

/** What is told of a connection on which no request comes to its end. */
const told: ReadonlyMap<string | undefined, Flaw> = new Map([
  ['HPE_INVALID_VERSION', otherVersion],
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
    const target = originForm(incoming.url ?? '');
    const flaw = flawOf(incoming) ?? (target === undefined ? noRequest : undefined);
    if (flaw !== undefined) return refuse(outgoing, flaw);
    incoming.url = target; // who may ask, what is served and what is recorded go by the same
    void serve(incoming, outgoing);
  };
  const ending = new WeakSet<Duplex>();
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    const pipeline = pipelines.get(socket) ?? new Pipeline(socket, begin);
    pipelines.set(socket, pipeline);
    pipeline.add({ incoming, outgoing });
  });
  server.on('checkExpectation', (_incoming, outgoing) => refuse(outgoing, otherExpectation));
  server.on('connect', (_incoming, socket) => {
    socket.on('error', () => {}); // nobody else listens for it any more
    void end(socket, noTunnel, pipelines.get(socket)?.open ?? []);
  });
  server.on('clientError', (error, socket) => {
    if (ending.has(socket)) return; // what comes after it is none, either
    ending.add(socket);
    socket.pause();
    const flaw = told.get(codeOf(error)) ?? noRequest;
    void end(socket, flaw, pipelines.get(socket)?.open ?? [], error);
  });
}

/** Ends a connection when each whole request before has its answer: a client takes what comes for that of the first. */
async function end(socket: Duplex, flaw: Flaw, asked: readonly Asked[], error?: Error): Promise<void> {
  const whole = asked.filter(({ incoming }) => incoming.complete);
  await Promise.all(whole.map(({ outgoing }) => new Promise((resolve) => outgoing.once('close', resolve))));
  const isInAnswer = asked.some(({ incoming, outgoing }) => !incoming.complete && outgoing.headersSent);
  if (socket.writable && !isInAnswer) {
    const [status, message] = flaw;
    const { text, headers } = refusal(message);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${text}`);
  }
  socket.destroy(error);
}

/** What the router can not make a request of: an address that is none. */
export function unreadable(error: unknown): Response {
  const { text, headers } = refusal(noRequest[1]);
  if (error instanceof RequestError) return new Response(text, { status: 400, headers });
  return new Response('ERR_FACTORY_INTERNAL: this is a defect of the factory\n', { status: 500, headers });
}

function refuse(outgoing: ServerResponse, [status, message]: Flaw): void {
  const { text, headers } = refusal(message);
  outgoing.writeHead(parseInt(status, 10), headers).end(text);
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
