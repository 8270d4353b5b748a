import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

import test from 'ava';

import { KmsError, parseEndpoint } from '../src/index.ts';
import { authority } from './certificates.ts';
import { answer, ask, codeOf, kept, server } from './counting-server.ts';
import { reply, tcpServer } from './raw-server.ts';

test('without kept connections every call has its own', async (t) => {
  const there = await server(t);
  for (let call = 0; call < 3; call += 1) t.true(await ask(there, {}));
  t.is(there.sessions.length, 3);
});

test('calls one after another are one connection', async (t) => {
  const there = await server(t);
  const connections = kept(t);
  for (let call = 0; call < 5; call += 1) t.true(await ask(there, { connections }));
  t.is(there.sessions.length, 1);
});

test('calls at the same time are one connection, which is made once', async (t) => {
  const there = await server(t);
  const connections = kept(t);
  const calls = Array.from({ length: 20 }, () => ask(there, { connections }));
  t.deepEqual(new Set(await Promise.all(calls)), new Set([true]));
  t.is(there.sessions.length, 1);
});

test('a refused call on a connection that stands is the answer of a busy server', async (t) => {
  let calls = 0;
  const there = await server(t, (stream, number) => {
    calls = number;
    if (number === 1) answer(stream);
    else stream.close(7);
  });
  const connections = kept(t);
  t.true(await ask(there, { connections }));
  t.is(await codeOf(ask(there, { connections })), 'ERR_KMS_BUSY');
  t.is(calls, 2);
});

test('a call that is aborted leaves the other one on its connection alone', async (t) => {
  const waiting: ServerHttp2Stream[] = [];
  const both = Promise.withResolvers<void>();
  const there = await server(t, (stream) => {
    if (waiting.push(stream) === 2) both.resolve();
  });
  const connections = kept(t);
  const aborting = new AbortController();
  const aborted = ask(there, { connections, signal: aborting.signal });
  const other = ask(there, { connections });
  await both.promise;
  const reason = new Error('enough');
  aborting.abort(reason);
  t.is(await t.throwsAsync(aborted), reason);
  for (const stream of waiting) if (!stream.destroyed) answer(stream);
  t.true(await other);
  t.is(there.sessions.length, 1);
});

test('the server is told of a call that was given up', async (t) => {
  const { promise: called, resolve: onCall } = Promise.withResolvers<ServerHttp2Stream>();
  const there = await server(t, onCall);
  const connections = kept(t);
  const aborting = new AbortController();
  const other = new AbortController();
  const aborted = ask(there, { connections, signal: aborting.signal });
  const stream = await called;
  const going = ask(there, { connections, signal: other.signal }); // keeps the connection
  const closed = once(stream, 'close');
  aborting.abort();
  await t.throwsAsync(aborted);
  await closed;
  t.is(stream.rstCode, 8); // CANCEL
  other.abort();
  await t.throwsAsync(going);
});

test('after a call without an answer the next one is made on a new connection', async (t) => {
  const there = await server(t, (stream, number) => {
    if (number !== 2) answer(stream);
  });
  const connections = kept(t);
  t.true(await ask(there, { connections }));
  t.is(await codeOf(ask(there, { connections, timeoutMs: 20 })), 'ERR_KMS_TIMEOUT');
  t.true(await ask(there, { connections }));
  t.is(there.sessions.length, 2);
});

test('who waits for a connection that others wait for, too, waits as long as its own time', async (t) => {
  t.timeout(30_000);
  const ca = await authority();
  const accepted: Socket[] = [];
  const { promise: connected, resolve: onConnection } = Promise.withResolvers<void>();
  const port = await tcpServer(t, (socket) => {
    accepted.push(socket);
    onConnection();
  });
  const there = { endpoint: parseEndpoint(`grpcs://127.0.0.1:${port}`) };
  const connections = kept(t);
  const roots = [ca.crt];
  const aborting = new AbortController();
  const patient = ask(there, { connections, roots, timeoutMs: 60_000, signal: aborting.signal });
  const hasty = await t.throwsAsync(ask(there, { connections, roots, timeoutMs: 20 }), {
    instanceOf: KmsError,
  });
  t.is(hasty.code, 'ERR_KMS_TIMEOUT');
  await connected;
  t.is(accepted.length, 1);
  t.false(accepted[0]?.readableEnded);
  const closed = once(accepted[0] ?? t.fail(), 'close');
  accepted[0]?.resume();
  aborting.abort();
  await t.throwsAsync(patient);
  await closed; // nobody waits for it any more
});

test('a connection that fails fails for all who wait for it, and the next call tries again', async (t) => {
  let connected = 0;
  const port = await tcpServer(t, (socket) => {
    connected += 1;
    socket.destroy();
  });
  const there = { endpoint: parseEndpoint(`grpcs://127.0.0.1:${port}`) };
  const connections = kept(t);
  const codes = await Promise.all([1, 2, 3].map(() => codeOf(ask(there, { connections }))));
  t.deepEqual(
    codes,
    Array.from({ length: 3 }, () => 'ERR_KMS_UNREACHABLE'),
  );
  t.is(connected, 1);
  t.is(await codeOf(ask(there, { connections })), 'ERR_KMS_UNREACHABLE');
  t.is(connected, 2);
});

test('a status of the server leaves the connection where it is', async (t) => {
  const there = await server(t, (stream, number) => {
    if (number === 1) reply(stream, Buffer.alloc(0), { 'grpc-status': '7' });
    else answer(stream);
  });
  const connections = kept(t);
  t.is(await codeOf(ask(there, { connections })), 'ERR_KMS_REFUSED');
  t.true(await ask(there, { connections }));
  t.is(there.sessions.length, 1);
});
