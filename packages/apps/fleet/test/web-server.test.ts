import { once } from 'node:events';
import { createServer, type TLSSocket } from 'node:tls';
import { connect } from 'node:tls';

import { createWebAuthority, issueWebServer } from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import { WebServer } from '../src/server/web-server.ts';

async function dial(t: ExecutionContext, server: WebServer): Promise<TLSSocket> {
  const authority = await createWebAuthority('test');
  const { crt, key } = await issueWebServer(authority, { names: ['localhost'] });
  const listener = createServer({ cert: crt, key: key.bytes }, (socket) =>
    server.accept(socket.on('error', () => {})),
  );
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  const client = connect({ host: '127.0.0.1', port, servername: 'localhost', ca: authority.crt });
  t.teardown(() => {
    client.destroy();
    listener.close();
  });
  await once(client, 'secureConnect');
  return client;
}

test('who is connected and sends no whole request is cut off, and who has sent one is not', async (t) => {
  const slow = await dial(t, new WebServer((_request, response) => response.end(), { firstRequestMs: 1 }));
  slow.on('error', () => {}).resume();
  slow.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  await once(slow, 'close');
  t.pass();

  const quick = await dial(t, new WebServer((_request, response) => response.end('a page')));
  quick.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  t.regex(String((await once(quick, 'data'))[0]), /^HTTP\/1\.1 200 OK/u);
});
