import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { LanSpec } from '@nodecore/lan';
import { createServer } from '@nodecore/sys/http';

import { scriptName } from '../boot-files.ts';
import { urlHost } from '../url-host.ts';

/** Gives machines the files that they start from. */
export type BootServer = {
  /** On loopback of this computer. */
  readonly port: number;
  /** What every path begins with, random: an image may hold what others on this computer must not read. */
  readonly token: string;
  close(): Promise<void>;
};

/** A network whose machines start from files of a directory, as their image is on the network. */
export async function withBootServer(
  spec: LanSpec,
  directory: string,
): Promise<{ readonly spec: LanSpec; readonly boot: BootServer }> {
  const boot = await serveBootFiles(directory);
  const taken = new Set(spec.outlets.map(({ port }) => port));
  const port = [80, 8069, 8070].find((one) => !taken.has(one)) ?? 80;
  const outlet = { port, target: { address: '127.0.0.1', port: boot.port } };
  const bootScript = `http://${urlHost(spec.gateway)}:${port}/${boot.token}/${scriptName}`;
  return { spec: { ...spec, outlets: [...spec.outlets, outlet], bootScript }, boot };
}

/** Serves the files of a directory at `/<token>/<name>`, and nothing else. */
export async function serveBootFiles(directory: string): Promise<BootServer> {
  const token = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    void answer(request, response, { directory, token }).catch(() => response.destroy());
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, 'close');
  };
  return { port, token, close };
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  { directory, token }: { readonly directory: string; readonly token: string },
): Promise<void> {
  const name = new RegExp(`^/${token}/([A-Za-z0-9][A-Za-z0-9._-]*)$`).exec(url)?.[1];
  if (name === undefined) return void response.writeHead(404).end();
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405).end();
  const file = await open(join(directory, name), 'r').catch(() => undefined);
  if (file === undefined) return void response.writeHead(404).end();
  const stream = file.createReadStream(); // which closes it
  response.writeHead(200, { 'content-length': (await file.stat()).size });
  if (method === 'GET') return await pipeline(stream, response);
  stream.destroy();
  response.end();
}
