import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import test from 'ava';

import { serveRequests } from '../src/http/unreadable.ts';
import { ask, runningFactory } from './running-factory.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('of two hundred requests at once on a connection one begins, and the next when its answer has gone', async (t) => {
  const begun: string[] = [];
  const events = new EventEmitter<{ begun: [answer: () => void] }>();
  const server = createServer();
  serveRequests(server, ({ url = '' }, outgoing) => {
    begun.push(url);
    events.emit('begun', () => outgoing.end(`${url}\n`));
  });
  t.teardown(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);
  const first = once(events, 'begun');
  socket.write(paths.map((path) => get(path)).join(''));
  await once(server, 'request');
  let [answer] = await first;
  for (const count of paths.keys()) {
    await new Promise(setImmediate); // whatever else would begin has
    t.is(begun.length, count + 1);
    const next = once(events, 'begun');
    answer();
    if (count + 1 < paths.length) [answer] = await next;
  }
  const sent = text(socket);
  socket.end();
  t.deepEqual(begun, paths);
  t.deepEqual((await sent).match(/\/\d+(?=\n)/g), paths);
});

test('a body that comes behind other requests is read when its turn has come', async (t) => {
  const server = createServer();
  serveRequests(server, async (incoming, outgoing) => outgoing.end(`${await text(incoming)}\n`));
  t.teardown(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const body = 'x'.repeat(1 << 20);
  const post = `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(`${get('/')}${get('/')}${post}`);
  const got = await text(socket);
  t.is(got.match(/^HTTP\/1\.1 200/gm)?.length, 3);
  t.true(got.includes(body));
});

test('of a body that waits for its turn no more is taken than fits a buffer', async (t) => {
  const events = new EventEmitter<{ begun: [answer: () => void] }>();
  const server = createServer();
  serveRequests(server, ({ url = '' }, outgoing) => {
    if (url === '/b') events.emit('begun', () => outgoing.end('.'));
  });
  t.teardown(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  const connected = once(server, 'connection');
  const first = once(events, 'begun');
  const post = 'POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n';
  socket.write(`${get('/b')}${get('/slow')}${post}`);
  const [accepted] = await connected;
  const [answer] = await first;
  answer();
  // Until the kernel takes no more either: it has some megabytes for a connection.
  const piece = Buffer.alloc(1 << 20);
  let taken = true;
  for (let count = 0; taken && count < 64; count += 1)
    taken = await Promise.race([
      new Promise<boolean>((resolve) => socket.write(piece, () => resolve(true))),
      new Promise<boolean>((resolve) => setTimeout(resolve, 500, false)),
    ]);
  t.false(taken, 'all of 64 MiB was taken');
  t.true(accepted.bytesRead < 1 << 20, `${accepted.bytesRead} bytes`);
});

test('who is gone is noticed while another request of theirs waits', async (t) => {
  const begun = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const server = createServer();
  serveRequests(server, (_incoming, outgoing) => {
    outgoing.once('close', gone.resolve);
    begun.resolve();
  });
  t.teardown(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${get('/slow')}${get('/b')}`);
  await begun.promise;
  socket.resetAndDestroy();
  await gone.promise;
  t.pass();
});

test('the connection of who sends hundreds ahead ends, and who is on another one is served', async (t) => {
  const running = await runningFactory(t);
  const { host, port } = running.factory.address;
  const socket = connect({ host, port });
  const ended = new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()));
  let got = '';
  socket.on('data', (data: Buffer) => (got += data.toString()));
  socket.write(get('/versions').repeat(1_500)); // 60 KB, which is one read
  await ended;
  // It ends in time, too, when all of them have been answered.
  t.true((got.match(/^HTTP\/1\.1 200/gm)?.length ?? 0) < 1_000);
  t.is((await ask(running, '/versions')).status, 200);
});
