import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import test from 'ava';

import { type Answer, send } from '../src/http/answer.ts';
import { serveRequests } from '../src/http/unreadable.ts';

for (const [what, sizeBytes, count] of [
  ['a large answer', 64 * 2 ** 20, 1],
  ['many small answers', 60 * 1024, 250], // more than the kernel takes of a connection
] as const)
  test(`a client that takes nothing of ${what} is let go of`, async (t) => {
    const body = Buffer.alloc(sizeBytes, 'a');
    const answer: Answer = { status: 200, headers: { 'content-length': `${sizeBytes}` }, body };
    let sent = 0;
    const server = createServer();
    serveRequests(server, async (_incoming, outgoing) => {
      await send(answer, outgoing, { method: 'GET', stallMs: 300, onFirstByte: () => (sent += 1) });
    });
    t.teardown(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    t.teardown(() => socket.destroy());
    socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
    const [accepted] = await connected;
    await once(accepted, 'close');
    t.true(sent >= 1 && (count === 1 || sent < count), `${sent} of ${count}`);
  });
