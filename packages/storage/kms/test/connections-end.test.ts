import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';

import { leakedDescriptors, openDescriptors, output } from '@nodecore/testkit';
import test from 'ava';

import { type ClientOptions, Connections, seal } from '../src/index.ts';
import { authority, nodeIdentity } from './certificates.ts';
import { answer, ask, codeOf, inBetween, kept, key, nodeUuid, server } from './counting-server.ts';
import { runningTlsServer } from '../../../apps/key-server/test/running-server.ts';

test('a server that began anew between two calls is asked on a new connection', async (t) => {
  const there = await server(t);
  const connections = kept(t);
  t.true(await ask(there, { connections }));
  await there.restart();
  t.true(await ask(there, { connections }));
  t.is(there.sessions.length, 2);
});

test('a call that finds its kept connection dead is made once more', async (t) => {
  const there = await server(t, (stream, number) => {
    if (number === 2) stream.session?.socket.destroy();
    else answer(stream);
  });
  const connections = kept(t);
  t.true(await ask(there, { connections }));
  t.true(await ask(there, { connections }));
  t.is(there.sessions.length, 2);
});

test('a call is made twice at most, and on a new connection once', async (t) => {
  let calls = 0;
  const there = await server(t, (stream, number) => {
    calls = number;
    if (number === 1) answer(stream);
    else stream.session?.socket.destroy();
  });
  const connections = kept(t);
  t.true(await ask(there, { connections }));
  t.is(await codeOf(ask(there, { connections })), 'ERR_KMS_UNREACHABLE');
  t.is(calls, 3);
  t.is(await codeOf(ask(there, { connections })), 'ERR_KMS_UNREACHABLE');
  t.is(calls, 4);
});

test('a call whose answer has begun is not made again', async (t) => {
  let calls = 0;
  const there = await server(t, (stream, number) => {
    calls = number;
    if (number === 1) return answer(stream);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.write(Buffer.from([0, 0, 0, 0, 34]), () => stream.session?.socket.destroy());
  });
  const connections = kept(t);
  t.true(await ask(there, { connections }));
  t.is(await codeOf(ask(there, { connections })), 'ERR_KMS_UNREACHABLE');
  t.is(calls, 2);
});

for (const code of [0, 2, 11]) {
  test(`after a goodbye with ${code} the next call is made on a new connection`, async (t) => {
    t.timeout(20_000);
    const there = await server(t);
    const { endpoint, sockets } = await inBetween(t, there.endpoint.port);
    const connections = kept(t, 2 ** 30);
    t.true(await ask({ endpoint }, { connections }));
    const closed = once(sockets[0] ?? t.fail(), 'close'); // by us, at once: it is of no more use
    there.sessions[0]?.goaway(code);
    await closed;
    t.true(await ask({ endpoint }, { connections }));
    t.is(sockets.length, 2);
  });
}

test('a call that gets a goodbye on its kept connection is made once more', async (t) => {
  const there = await server(t, (stream, number) => {
    if (number !== 2) return answer(stream);
    stream.session?.goaway(0, 0);
    stream.close(7);
  });
  const connections = kept(t);
  t.true(await ask(there, { connections }));
  t.true(await ask(there, { connections }));
  t.is(there.sessions.length, 2);
});

test('calls that are under way when the server says goodbye are answered', async (t) => {
  const waiting: ServerHttp2Stream[] = [];
  const there = await server(t, (stream) => {
    waiting.push(stream);
    if (waiting.length < 2) return;
    stream.session?.goaway(0, 2 ** 31 - 1);
    for (const each of waiting) answer(each);
  });
  const connections = kept(t);
  t.deepEqual(await Promise.all([ask(there, { connections }), ask(there, { connections })]), [true, true]);
  t.is(there.sessions.length, 1);
});

test('who is somebody else, or trusts somebody else, has another connection', async (t) => {
  const {
    ca,
    roots,
    server: { address },
  } = await runningTlsServer(t);
  const { endpoint, sockets } = await inBetween(t, address.port, 'grpcs');
  const connections = kept(t);
  const identity = await nodeIdentity(ca, [`urn:uuid:${nodeUuid}`]);
  const rotated = await nodeIdentity(ca, [`urn:uuid:${nodeUuid}`]);
  const call = (options: ClientOptions): Promise<string> =>
    codeOf(seal(endpoint, { nodeUuid, data: key }, { connections, ...options }));
  for (const expected of [1, 1]) {
    t.is(await call({ roots, identity }), 'OK');
    t.is(sockets.length, expected);
  }
  t.is(await call({ roots: [...roots], identity: { ...identity } }), 'OK');
  t.is(sockets.length, 1, 'the same in other objects');
  t.is(await call({ roots, identity: rotated }), 'OK');
  t.is(sockets.length, 2);
  t.is(await call({ roots }), 'ERR_KMS_CERTIFICATE');
  t.is(await call({ identity }), 'ERR_KMS_CERTIFICATE');
  t.is(await call({ roots: [(await authority()).crt], identity }), 'ERR_KMS_CERTIFICATE');
  t.is(await call({ roots, identity, serverName: 'kms.example' }), 'ERR_KMS_CERTIFICATE');
  t.is(sockets.length, 6);
  // The certificate is public: who has another key is not who made the connection.
  t.is(await call({ roots, identity: { ...identity, key: rotated.key } }), 'ERR_KMS_CERTIFICATE');
  identity.key[Symbol.dispose]();
  t.regex(await call({ roots, identity }), /TypeError: secret used after it was wiped/);
});

test('a connection that is not used is closed', async (t) => {
  const there = await server(t);
  const connections = kept(t, 1);
  t.true(await ask(there, { connections }));
  const [session] = there.sessions;
  if (session !== undefined && !session.destroyed) await once(session, 'close');
  t.true(await ask(there, { connections }));
  t.is(there.sessions.length, 2);
});

test('a connection that is used is not closed, however long a call takes', async (t) => {
  const { promise: called, resolve: onCall } = Promise.withResolvers<ServerHttp2Stream>();
  const there = await server(t, (stream, number) => (number === 2 ? onCall(stream) : answer(stream)));
  const connections = kept(t, 5);
  t.true(await ask(there, { connections }));
  const slow = ask(there, { connections, timeoutMs: 60_000 });
  const stream = await called;
  // Another one that is left at this moment, and has the same time.
  const other = await server(t);
  t.true(await ask(other, { connections: kept(t, 5) }));
  const [idle] = other.sessions;
  if (idle !== undefined && !idle.destroyed) await once(idle, 'close');
  answer(stream);
  t.true(await slow);
  t.is(there.sessions.length, 1);
});

test('closing ends what is idle, and lets a call finish; twice is fine', async (t) => {
  const { promise: called, resolve: onCall } = Promise.withResolvers<ServerHttp2Stream>();
  const idle = await server(t);
  const busy = await server(t, onCall);
  await using connections = new Connections();
  t.true(await ask(idle, { connections }));
  const going = ask(busy, { connections });
  const stream = await called;
  const closing = connections.close();
  answer(stream);
  t.true(await going);
  await Promise.all([closing, connections.close()]);
  for (const { sessions } of [idle, busy])
    for (const session of sessions) if (!session.destroyed) await once(session, 'close');
  await connections.close();
  await t.throwsAsync(ask(idle, { connections }), {
    instanceOf: TypeError,
    message: /after they were closed/,
  });
});

test.serial('nothing is left after they were closed', async (t) => {
  const there = await server(t);
  t.true(await ask(there, {}));
  const isOver = (): boolean => leakedDescriptors(before).length === 0;
  const before = openDescriptors();
  const connections = new Connections();
  t.true(await ask(there, { connections }));
  t.false(isOver());
  await connections.close();
  for (let turn = 0; turn < 1000 && !isOver(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(leakedDescriptors(before), []);
});

for (const scheme of ['grpc', 'grpcs']) {
  test(`a program ends though it has not closed its connections of ${scheme}`, async (t) => {
    t.timeout(30_000);
    const there = scheme === 'grpc' ? await server(t) : await runningTlsServer(t, { anyClient: true });
    const { text } = there.endpoint;
    const roots = 'roots' in there ? there.roots : [];
    const program = `
      import { Secret } from '${import.meta.resolve('@nodecore/sys')}';
      const kms = await import('${new URL('../src/index.ts', import.meta.url).href}');
      const options = { connections: new kms.Connections({ idleMs: 60_000 }), roots: ${JSON.stringify(roots)} };
      const node = { nodeUuid: '${nodeUuid}', data: Secret.random(32) };
      for (let call = 0; call < 2; call += 1) await kms.seal(kms.parseEndpoint('${text}'), node, options);
      console.log('done');`;
    const argv = ['--conditions=source', '--input-type=module', '-e', program];
    t.is((await output([process.execPath, ...argv])).trim(), 'done');
  });
}
