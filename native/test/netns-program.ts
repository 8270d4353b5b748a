/** Listens in the namespaces of the process that it is told, connects there to what listens, and says what comes. */
import { once } from 'node:events';
import { createServer, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { connectIn, listenIn } from '../src/netns.ts';

const [holder = ''] = process.argv.slice(2);
const files = { networkNamespace: `/proc/${holder}/ns/net`, userNamespace: `/proc/${holder}/ns/user` };
const endpoint = { address: '127.0.0.1', port: 4321 };
const refused = await listenIn({ networkNamespace: files.networkNamespace }, endpoint).catch(
  (error: { readonly errno: string }) => error.errno,
);
const server = createServer((socket) => socket.end('inside')).listen({ fd: await listenIn(files, endpoint) });
await once(server, 'listening');
const socket = new Socket({ fd: await connectIn(files, endpoint), readable: true, writable: true });
console.log(`${refused} ${await text(socket)}`);
server.close();
