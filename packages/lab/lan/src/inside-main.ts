/**
 * The process inside a network's namespace. It accepts at the doors that it is handed, which listen on the host's side,
 * and connects to the nodes; and it listens for outlets, and hands these over to the host's side. It ends with its
 * parent.
 */
import { createServer, Server } from 'node:net';

import type { ToInside } from './messages.ts';
import { spliceTo } from './splice.ts';

process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {}); // of the parent's terminal: the parent decides

process.on('message', (message: ToInside, handle: unknown) => {
  if (message.kind === 'door') {
    if (handle instanceof Server) spliceTo(handle, message.target);
    process.send?.({ kind: 'done', id: message.id });
    return;
  }
  const server = createServer();
  server.once('error', (error) => process.send?.({ kind: 'failed', id: message.id, error: error.message }));
  server.listen({ host: message.listen.address, port: message.listen.port }, () => {
    process.send?.({ kind: 'done', id: message.id }, server, {}, () => server.close());
  });
});
process.send?.({ kind: 'ready' });
