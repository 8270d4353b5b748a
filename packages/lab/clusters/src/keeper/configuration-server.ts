import { timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { join } from 'node:path';

import { createServer } from '@nodecore/sys/http';

import type { ClusterDirectory } from '../directory.ts';
import { configurationToken, isConfigured } from '../injection.ts';
import type { PlannedNode } from '../plan.ts';

/**
 * Gives each machine its configuration at `/<token>/config.yaml`: to nobody else, and not any more when it has it.
 *
 * @param listening in the cluster's network, so that who asks has an address of it.
 * @param given hears of the name of each machine that was given it.
 */
export function serveConfigurations(
  listening: Server,
  directory: ClusterDirectory,
  nodes: readonly PlannedNode[],
  given: (name: string) => void = () => {},
): void {
  const server = createServer((request, response) => {
    void answer(request, response, { directory, nodes, given }).catch(() => response.destroy());
  });
  listening.on('connection', (socket) => server.emit('connection', socket));
}

async function answer(
  { method, url = '', socket }: IncomingMessage,
  response: ServerResponse,
  {
    directory,
    nodes,
    given,
  }: {
    readonly directory: ClusterDirectory;
    readonly nodes: readonly PlannedNode[];
    readonly given: (name: string) => void;
  },
): Promise<void> {
  const nothing = (): void => void response.writeHead(404).end();
  const asks = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const node = nodes.find(({ address, address6 }) => address === asks || address6 === asks);
  const token = /^\/([\da-f]{32})\/config\.yaml$/.exec(url)?.[1];
  if (node === undefined || token === undefined) return nothing();
  const expected = await configurationToken(directory, node);
  if (!timingSafeEqual(Buffer.from(token), Buffer.from(expected))) return nothing();
  if (method !== 'GET') return void response.writeHead(405).end();
  if (await isConfigured(directory, node)) return nothing();
  const text = await readFile(join(directory.secrets, `${node.name}.yaml`));
  response.writeHead(200, { 'content-type': 'application/yaml', 'content-length': text.length });
  response.end(text, () => given(node.name));
}
