import { readdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { isKvstoreError, type KvstoreError, saveSnapshot } from '../src/index.ts';
import { beginning, data, frame, h2Server, headers, message } from './h2-server.ts';

/** What a snapshot of a server that talks like this ends with. Nothing may be left of it. */
async function failure(t: ExecutionContext, talk: (socket: Socket) => void): Promise<KvstoreError> {
  const directory = await temporaryDirectory(t);
  const kvstore = await h2Server(t, talk);
  const error: unknown = await t.throwsAsync(
    saveSnapshot(kvstore, { file: join(directory, 'snapshot.db'), stallTimeoutMs: 20_000 }),
  );
  t.deepEqual(await readdir(directory), []);
  if (!isKvstoreError(error)) throw error;
  return error;
}

const violations: Readonly<Record<string, readonly Uint8Array[]>> = {
  'no HTTP/2 at all': [Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')],
  'a frame larger than we allow': [beginning, frame('data', Buffer.alloc(16_385), { stream: 1 })],
  'a frame that claims 16 MiB': [beginning, frame('data', [], { stream: 1, length: 0xff_ff_ff })],
  'header fields that are no HPACK': [
    frame('settings', []),
    frame('headers', [0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], { flags: 4, stream: 1 }),
  ],
  'a table of header fields larger than agreed': [
    frame('settings', []),
    frame('headers', [0x3f, 0xe1, 0xff, 0x3], { flags: 4, stream: 1 }),
  ],
  'content before any header field': [frame('settings', []), data(message(100, 0n))],
  'header fields without an end': [
    frame('settings', []),
    frame('headers', [], { stream: 1 }),
    frame('ping', Buffer.alloc(8)),
  ],
  'a stream that nobody opened': [beginning, frame('headers', [0x88], { flags: 4, stream: 2 })],
  'settings of an odd length': [beginning, frame('settings', [0, 4, 0])],
  'a window that overflows': [
    beginning,
    frame('windowUpdate', [0x7f, 0xff, 0xff, 0xff]),
    frame('windowUpdate', [0x7f, 0xff, 0xff, 0xff]),
  ],
  'a flood of pings': [beginning, ...Array.from({ length: 20_000 }, () => frame('ping', Buffer.alloc(8)))],
  'a flood of settings': [beginning, ...Array.from({ length: 20_000 }, () => frame('settings', []))],
  'header fields that never stop': [
    frame('settings', []),
    frame('headers', [], { stream: 1 }),
    ...Array.from({ length: 400 }, () =>
      frame(
        'continuation',
        Buffer.concat(
          Array.from({ length: 100 }, () => Buffer.from([0, 1, 0x61, 100, ...Buffer.alloc(100, 'a')])),
        ),
        { stream: 1 },
      ),
    ),
  ],
};

for (const [name, frames] of Object.entries(violations)) {
  test(`${name} is an error of the protocol, and leaves nothing`, async (t) => {
    const { code, message: words } = await failure(t, (socket) => socket.write(Buffer.concat(frames)));
    t.is(code, 'ERR_KVSTORE_PROTOCOL');
    t.regex(words, /^http:\/\/127\.0\.0\.1:\d+: no snapshot came: the answer is no HTTP\/2 \(.+\)$/);
  });
}

test('what is no message of a snapshot is an error of the protocol that says which', async (t) => {
  const prefix = Buffer.from([1, 0, 0, 0, 1]);
  const compressed = await failure(t, (socket) => socket.write(Buffer.concat([beginning, data(prefix)])));
  t.is(compressed.code, 'ERR_KVSTORE_PROTOCOL');
  t.regex(compressed.message, /compressed, which nobody asked for/);
  const page = headers({ ':status': '404', 'content-type': 'text/html' });
  const html = Buffer.concat([frame('settings', []), page, data(Buffer.from('<html>'), true)]);
  const foreign = await failure(t, (socket) => socket.write(html));
  t.is(foreign.code, 'ERR_KVSTORE_PROTOCOL');
  t.regex(foreign.message, /HTTP status 404, text\/html/);
});

test('an answer that breaks off, by any of its ways, is told as a broken connection', async (t) => {
  const half = data(message(1_000, 100_000n));
  const endings: Readonly<Record<string, readonly Uint8Array[]>> = {
    'the connection ends': [],
    'the stream is reset': [frame('resetStream', [0, 0, 0, 2], { stream: 1 })],
    'the server goes away before it': [frame('goAway', Buffer.alloc(8))],
    'the content ends without a status': [data(Buffer.alloc(0), true)],
  };
  for (const [name, frames] of Object.entries(endings)) {
    const { code, message: words } = await failure(t, (socket) => {
      const all = Buffer.concat([beginning, half, ...frames]);
      if (frames.length === 0) socket.end(all);
      else socket.write(all);
    });
    t.is(code, 'ERR_KVSTORE_UNREACHABLE', name);
    t.regex(
      words,
      /the connection broke after 1000 bytes of the snapshot; try again, or another member/,
      name,
    );
  }
});

test('a status of gRPC is what its code means, in trailers and in place of an answer', async (t) => {
  const status = { 'grpc-status': '14', 'grpc-message': 'etcdserver: no leader%21' };
  const late = await failure(t, (socket) =>
    socket.write(Buffer.concat([beginning, data(message(10, 100n)), headers(status, true)])),
  );
  t.is(late.code, 'ERR_KVSTORE_UNREACHABLE');
  t.regex(late.message, /etcdserver: no leader!/);
  const only = { ':status': '200', 'content-type': 'application/grpc', 'grpc-status': '7' };
  const denied = await failure(t, (socket) =>
    socket.write(Buffer.concat([frame('settings', []), headers(only, true)])),
  );
  t.is(denied.code, 'ERR_KVSTORE_DENIED');
  const well = { 'grpc-status': '0' };
  const cut = await failure(t, (socket) =>
    socket.write(Buffer.concat([beginning, data(message(10, 100n).subarray(0, -1)), headers(well, true)])),
  );
  t.regex(cut.message, /no snapshot came: the last message has no end/);
});

test('what comes behind the end is not looked at', async (t) => {
  const trailers = headers({ 'grpc-status': '0' }, true);
  const { code } = await failure(t, (socket) =>
    socket.write(
      Buffer.concat([
        beginning,
        data(message(10, 100n)),
        trailers,
        data(message(10, 0n)),
        Buffer.alloc(99, 1),
      ]),
    ),
  );
  t.is(code, 'ERR_KVSTORE_SNAPSHOT_FOREIGN');
});

test('a member that only answers that it is alive is silent', async (t) => {
  const directory = await temporaryDirectory(t);
  const kvstore = await h2Server(t, (socket) => {
    socket.write(beginning);
    const alive = setInterval(() => socket.write(frame('ping', Buffer.alloc(8))), 20);
    socket.once('close', () => clearInterval(alive));
  });
  const options = { file: join(directory, 'snapshot.db'), stallTimeoutMs: 200 };
  await t.throwsAsync(saveSnapshot(kvstore, options), {
    code: 'ERR_KVSTORE_TIMEOUT',
    message: /silent for 200 ms after 0 bytes/,
  });
});
