import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

import { print, type Terminal, UsageError, wordsOfErrno } from '@nodecore/cli';
import type { ClusterView } from '@nodecore/clusters';
import { codeOf } from '@nodecore/sys';
import { aborted } from '@nodecore/waiting';

import type { RemoteFlags } from '../cluster/elsewhere.ts';
import { RemoteExitError } from '../errors.ts';
import { openRemote } from './open.ts';

/** Opens the doors of a cluster of another computer here, at the same addresses, until it is interrupted. */
export async function openDoors(
  flags: RemoteFlags & { readonly name: string },
  terminal: Terminal,
): Promise<void> {
  const { remoteEndpoint, name } = flags;
  if (remoteEndpoint === undefined)
    throw new UsageError('the doors of a cluster of this computer are open: give --remote-endpoint');
  using remote = await openRemote(remoteEndpoint, flags, terminal);
  const out: Uint8Array[] = [];
  const request = {
    words: ['show'],
    arguments: [],
    flags: [
      { name: 'name', value: name, bare: false },
      { name: 'output', value: 'json', bare: false },
    ],
  };
  for await (const piece of remote.run(request, { signal: terminal.signal })) {
    out.push(piece.out);
    await print(terminal.error, piece.error);
    if (piece.end !== undefined && piece.end.exitCode !== 0) throw new RemoteExitError(piece.end.exitCode);
  }
  const { nodes } = JSON.parse(Buffer.concat(out).toString('utf8')) as ClusterView;
  const servers: Server[] = [];
  try {
    for (const node of nodes) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
        void remote.joinDoor(socket, name, node.name).catch(() => socket.destroy());
      });
      servers.push(server);
      const [address = '', port = ''] = node.api.split(':');
      if (!address.startsWith('127.')) throw new UsageError(`${node.api}: it is no loopback address`);
      server.listen({ host: address, port: Number(port) });
      await once(server, 'listening').catch((error: unknown) => {
        throw new UsageError(`${node.api}: ${wordsOfErrno(codeOf(error) ?? String(error))}`);
      });
      await print(terminal.error, `${node.name} is at ${node.api}\n`);
    }
    await aborted(terminal.signal);
  } finally {
    for (const server of servers) server.close();
  }
}
