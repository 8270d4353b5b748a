import { once } from 'node:events';
import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { KMSService } from '@nodecore/kms/protocol';
import { Served } from '@nodecore/listener';
import test, { type ExecutionContext } from 'ava';

import { patience } from '../src/server/patience.ts';
import { framed } from '../../../storage/kms/test/raw-server.ts';

function answer(_call: unknown, done: (error: null, response: { data: Buffer }) => void): void {
  done(null, { data: Buffer.alloc(100) });
}

/** A server with these times, and a session of HTTP/2 with it. */
async function setUp(t: ExecutionContext, times: { requestMs: number; stallMs: number }, settings = {}) {
  t.timeout(20_000);
  const served = new Served({ max: 16, maxPerAddress: 16 });
  const server = new Server({
    interceptors: [patience({ ...times, stalled: (call) => served.end(call.getConnectionInfo()) })],
  });
  server.addService(KMSService, { seal: answer, unseal: answer });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const tcp = createServer((socket) => {
    served.add(socket);
    injector.injectConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const session = connect(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}`, { settings });
  session.on('error', () => {});
  t.teardown(() => {
    session.destroy();
    server.forceShutdown();
    tcp.close();
  });
  const stream = session.request({
    ':method': 'POST',
    ':path': KMSService.seal.path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.on('error', () => {});
  return { session, stream };
}

test('a call whose request does not come ends', async (t) => {
  const { stream } = await setUp(t, { requestMs: 20, stallMs: 20_000 });
  const [headers] = await once(stream, 'response');
  t.is(Number(headers['grpc-status']), status.DEADLINE_EXCEEDED);
});

test('who takes no answers is hung up on', async (t) => {
  const { session, stream } = await setUp(t, { requestMs: 20_000, stallMs: 20 }, { initialWindowSize: 0 });
  stream.end(framed(Buffer.alloc(0)));
  await once(session, 'close');
  t.pass();
});

test('who takes the answer is not', async (t) => {
  const { session, stream } = await setUp(t, { requestMs: 20_000, stallMs: 20_000 });
  stream.end(framed(Buffer.alloc(0)));
  const [trailers] = await once(stream.resume(), 'trailers');
  t.is(Number(trailers['grpc-status']), status.OK);
  t.false(session.destroyed);
});
