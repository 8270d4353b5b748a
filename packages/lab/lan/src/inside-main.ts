/**
 * The process inside a network's namespace. It accepts at the doors that it is handed, which listen on the host's side,
 * and connects to the nodes; it listens for outlets, and hands these over to the host's side; and it balances. It ends
 * with its parent.
 */
import { Socket } from 'node:dgram';
import { flushCompileCache } from 'node:module';
import { createServer, Server } from 'node:net';

import type { DatagramDoor } from './datagram-door.ts';
import type { ToInside } from './messages.ts';
import { spliceTo } from './splice.ts';

const datagramDoors = new Set<DatagramDoor>();

process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {}); // of the parent's terminal: the parent decides

process.on('message', (message: ToInside, handle: unknown) => void obey(message, handle));

/** What few networks have is loaded when one has it: the first door waits for the rest. */
async function obey(message: ToInside, handle: unknown): Promise<void> {
  if (message.kind === 'door') {
    if (handle instanceof Server) spliceTo(handle, message.target);
    if (handle instanceof Socket) {
      const loaded = await import('./datagram-door.ts');
      datagramDoors.add(new loaded.DatagramDoor(handle, message.target));
    }
    process.send?.({ kind: 'done', id: message.id });
    return;
  }
  const server = createServer();
  server.once('error', (error) => process.send?.({ kind: 'failed', id: message.id, error: error.message }));
  if (message.kind === 'balancer') {
    const { Balancer } = await import('./balancer.ts');
    new Balancer(message.targets).serve(server);
  }
  server.listen({ host: message.listen.address, port: message.listen.port }, () => {
    if (message.kind === 'balancer') process.send?.({ kind: 'done', id: message.id });
    else process.send?.({ kind: 'done', id: message.id }, server, {}, () => server.close());
  });
}

process.send?.({ kind: 'ready' });
setImmediate(flushCompileCache);
