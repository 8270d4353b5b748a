import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ExecutionContext } from 'ava';

import {
  answerRegistry,
  digestOf,
  formatManifest,
  mediaTypes,
  type RegistrySource,
  tarParts,
} from '../src/index.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server on loopback until the test ends. @returns `127.0.0.1:PORT`. */
export async function listen(t: ExecutionContext, handler: Handler): Promise<string> {
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const config = Buffer.from(
  '{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}',
);
export const layer = Buffer.concat(
  tarParts<Uint8Array>([
    { path: 'install', directory: true },
    { path: 'install/one', size: 3, content: Buffer.from('one') },
    { path: 'install/two', size: 100_000, content: Buffer.alloc(100_000, 'two') },
  ]),
);

const descriptor = (mediaType: string, bytes: Uint8Array) => ({
  mediaType,
  digest: digestOf(bytes),
  size: bytes.length,
});
export const layerDescriptor = descriptor(mediaTypes.layer, layer);
export const manifest = formatManifest({
  mediaType: mediaTypes.manifest,
  config: descriptor(mediaTypes.config, config),
  layers: [layerDescriptor],
});

const blobs = new Map([config, layer].map((bytes) => [digestOf(bytes) as string, bytes]));
const manifests = new Map([manifest].map((bytes) => [digestOf(bytes) as string, bytes]));

/** A repository `a/b` with one image under three tags. */
export const source: RegistrySource<Buffer> = {
  tags: async (name) => (name === 'a/b' ? ['v2', 'v1', 'v3'] : undefined),
  manifest: async (name, reference) => {
    const bytes =
      name !== 'a/b' ? undefined : /^v[123]$/.test(reference) ? manifest : manifests.get(reference);
    return bytes && { bytes, mediaType: mediaTypes.manifest, digest: digestOf(bytes) };
  },
  blob: async (name, digest) => {
    const blob = name === 'a/b' ? blobs.get(digest) : undefined;
    return blob && { size: blob.length, blob };
  },
};

/** Answers from {@link source}. */
export const serve: Handler = async (request, response) => {
  const url = new URL(request.url ?? '', 'http://registry');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const answer = await answerRegistry(
    { method: request.method ?? '', path: url.pathname, query: url.searchParams, headers },
    source,
  );
  response.writeHead(answer.status, answer.headers);
  const { body } = answer;
  if (request.method === 'HEAD' || body === undefined) response.end();
  else response.end(body instanceof Uint8Array ? body : body.blob.subarray(body.start, body.end));
};
