import { readFile } from 'node:fs/promises';
import type { Server } from 'node:net';

import type { ImageCacheRequest } from '../image-cache-flags.ts';
import { cacheServer } from '../image-cache/server.ts';

/**
 * Serves a cache of images as a registry to the nodes, for reading alone.
 *
 * @param listening in the cluster's network.
 * @throws {Error} of the system for a certificate or a key that can't be read, of OpenSSL for one that is none.
 */
export async function serveImageCache(listening: Server, { path, tls }: ImageCacheRequest): Promise<void> {
  const files = tls && { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) };
  const server = cacheServer({ cache: path, registries: ['docker.io'], ...(files && { tls: files }) });
  files?.key.fill(0);
  listening.on('connection', (socket) => server.emit('connection', socket));
}
