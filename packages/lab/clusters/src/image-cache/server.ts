import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

import { answerRegistry, CacheSource, type RegistrySource } from '@nodecore/oci';
import { createServer } from '@nodecore/sys/http';

export type CacheServerOptions = {
  readonly cache: string;
  readonly host: string;
  readonly port: number;
  /** Asked in this order for who does not say which registry is meant. */
  readonly registries: readonly string[];
  /** PEM; in plain text without it. */
  readonly tls?: { readonly cert: Uint8Array; readonly key: Uint8Array };
};

export type CacheServer = AsyncDisposable & { readonly address: AddressInfo };

/** Who sends a request for so long is none that pulls. */
const requestMs = 30_000;

/**
 * Serves a cache as a registry that is pulled from. Clients that use it as a mirror say with `ns` which registry is meant.
 *
 * @throws {Error} of the system for an address that can't be listened at, of OpenSSL for a certificate or a key that is none.
 */
export async function serveCache(options: CacheServerOptions): Promise<CacheServer> {
  const { host, port } = options;
  const server = cacheServer(options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    address: server.address() as AddressInfo,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The server of a cache, which nobody reaches yet. @throws {Error} of OpenSSL for a certificate or a key that is none. */
export function cacheServer({
  cache,
  registries,
  tls,
}: Omit<CacheServerOptions, 'host' | 'port'>): ReturnType<typeof createServer> {
  const source = new CacheSource(cache);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response, (ns) => source.of(ns === null ? registries : [ns])).catch(() =>
      response.destroy(),
    );
  };
  const server = serverOf(tls, listener);
  server.requestTimeout = requestMs;
  return server;
}

function serverOf(
  tls: CacheServerOptions['tls'],
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): ReturnType<typeof createServer> {
  if (tls === undefined) return createServer(listener);
  const { cert, key } = tls;
  return createTlsServer({ cert: Buffer.from(cert), key: Buffer.from(key), minVersion: 'TLSv1.2' }, listener);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  sourceOf: (ns: string | null) => RegistrySource<string>,
): Promise<void> {
  const { method = '' } = request;
  const url = URL.parse(request.url ?? '', 'http://cache');
  if (url === null) {
    response.writeHead(400).end();
    return;
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      value === undefined ? value : String(value),
    ]),
  );
  const asked = { method, path: url.pathname, query: url.searchParams, headers };
  const found = await answerRegistry(asked, sourceOf(url.searchParams.get('ns')));
  response.writeHead(found.status, found.headers);
  const { body } = found;
  if (method === 'HEAD' || body === undefined) response.end();
  else if (body instanceof Uint8Array) response.end(body);
  else if (body.end === body.start) response.end();
  else await pipeline(createReadStream(body.blob, { start: body.start, end: body.end - 1 }), response);
}
